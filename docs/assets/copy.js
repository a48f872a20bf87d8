// Every block of code can be copied. The theme's own button stands in a landmark without a name.
const [copy, copied] = document.documentElement.lang === "fr" ? ["Copier", "Copié"] : ["Copy", "Copied"]
if (navigator.clipboard)
  document.querySelectorAll(".highlight > pre").forEach((block) => {
    const button = Object.assign(document.createElement("button"), { className: "sp-copy", type: "button", textContent: copy })
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent.trimEnd() + "\n")
      button.textContent = copied
      setTimeout(() => { button.textContent = copy }, 2000)
    })
    button.setAttribute("aria-live", "polite")
    block.after(button)
  })
