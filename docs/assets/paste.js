// A message that a server printed holds signs which the search takes for commands (`type: mtp`,
// `--draft-max`), and single letters (`a->ne[0]`) that it finds at the start of any word: a text pasted
// into the search keeps its words only.
document.addEventListener("paste", (event) => {
  const input = event.target
  if (!(input instanceof HTMLInputElement) || !input.matches(".md-search__input")) return
  event.preventDefault()
  const words = event.clipboardData.getData("text").replace(/["'()\[\]{}<>=:*+~^|,…]/g, " ")
  const plain = words.replace(/-+(?=\s|$)|(^|\s)-+/g, "$1").split(/\s+/).filter((word) => word.length > 1)
  input.setRangeText(plain.join(" ").slice(0, 300), input.selectionStart, input.selectionEnd, "end")
  input.dispatchEvent(new Event("keyup"))
})
