// The results that are like the reader's machine: a choice hides the others, in the overview too.
const filter = document.querySelector(".sp-filter")
if (filter) {
  const cards = [...document.querySelectorAll(".sp-result")]
  const choices = [...filter.querySelectorAll("select")]
  const matches = (card) => choices.every(({ name, value }) =>
    !value || card.dataset[name].split(" | ").includes(value))
  const apply = () => {
    const shown = cards.filter(matches)
    cards.forEach((card) => {
      const hide = !shown.includes(card)
      const heading = card.previousElementSibling
      card.hidden = heading.hidden = hide
      document.querySelectorAll(`article tr a[href="#${heading.id}"], .md-nav--secondary a[href="#${heading.id}"]`)
        .forEach((link) => { link.closest("tr, li").hidden = hide })
    })
    filter.querySelector("output").textContent = `${shown.length} / ${cards.length}`
  }
  filter.hidden = false
  filter.addEventListener("change", apply)
  filter.addEventListener("reset", () => setTimeout(apply))
  apply() // a browser that goes back remembers the choices
}
