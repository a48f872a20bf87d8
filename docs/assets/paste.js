// A message that a server printed holds signs which the search takes for commands (`type: mtp`,
// `--draft-max`): a text pasted into the search keeps its words only.
document.addEventListener("paste", (event) => {
  const input = event.target
  if (!(input instanceof HTMLInputElement) || !input.matches(".md-search__input")) return
  event.preventDefault()
  const words = event.clipboardData.getData("text").replace(/["'()\[\]{}<>=:*+~^|,…]/g, " ")
  const plain = words.replace(/(^|\s)-+/g, "$1").replace(/\s+/g, " ").trim().slice(0, 300)
  input.setRangeText(plain, input.selectionStart, input.selectionEnd, "end")
  input.dispatchEvent(new Event("keyup"))
})
