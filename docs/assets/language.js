// Headings have the same anchors in both languages: the switch keeps the reader's place.
document.querySelectorAll(".md-select__link").forEach((link) =>
  link.addEventListener("click", () => { link.hash = location.hash }))
