// The menu of a phone is folds within folds. The theme lets the keyboard into most, not into the
// headings of the page, and out of none.
if (matchMedia("(max-width: 76.234375em)").matches)
  document.querySelectorAll(".md-sidebar--primary label:not([tabindex], [for=__drawer])")
    .forEach((label) => { label.tabIndex = 0 })
