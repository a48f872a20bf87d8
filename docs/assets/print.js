// What is folded cannot be unfolded on paper.
addEventListener("beforeprint", () => document.querySelectorAll("article details").forEach((each) => { each.open = true }))
