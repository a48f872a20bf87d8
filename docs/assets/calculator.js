// The calculator of the guide: the formulas of `speculoos.record.metrics`, on what a reader enters.
// Its words and the lists of step costs stand in the page; nothing leaves the browser.
(() => {
  const form = document.querySelector("[data-calculator]")
  if (!form) return
  const words = JSON.parse(form.dataset.words)
  const field = (name) => form.querySelector(`[name="${name}"]`)
  const part = (name) => form.querySelector(`[data-part="${name}"]`)
  const language = document.documentElement.lang
  const NO_GAIN = 1.02 // an interval that ends below cannot hide a gain worth its memory

  // E(n) = 1 + S_1 + … + S_n; with one value a for every token, S_i = a^i. Null beyond what is known.
  function expectedTokens(acceptance, n) {
    if (acceptance.length > 1 && acceptance.length < n) return null
    let total = 1
    for (let i = 1; i <= n; i++) total += acceptance.length > 1 ? acceptance[i - 1] : acceptance[0] ** i
    return total
  }

  const stepCost = (length, speedup) => length / speedup
  const expectedSpeedup = (length, cost) => length / cost

  // The a with a + a^2 + … + a^n = n · rate, by halving.
  function acceptanceOfAToken(rate, n) {
    let [low, high] = [0, 1]
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2
      if (expectedTokens([middle], n) - 1 < n * rate) low = middle
      else high = middle
    }
    return (low + high) / 2
  }

  const shown = (value, digits = 2) =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const times = (value) => words.times.replace("{x}", shown(value))
  const said = (name, values = {}) =>
    words[name].replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole)

  // Numbers in either language's signs: with a point in the text, commas part the numbers; else a
  // comma between two digits is a decimal sign. `?` is a value that nobody knows; null is refused.
  function numbers(text) {
    const spaced = text.replace(/[\s\u00a0\u202f]+%/g, "%")
    const parts = (/\d\.\d|\.\d/.test(text) ? spaced.replace(/,/g, " ") : spaced.replace(/,(?!\d)/g, " "))
      .split(/[\s\u00a0\u202f;]+/).filter(Boolean)
    const found = parts.map((one) => {
      if (/^[?–-]$/.test(one)) return NaN
      const digits = /^(\d*[.,]?\d+|\d+[.,])(%?)$/.exec(one)
      return digits ? Number(digits[1].replace(",", ".")) / (digits[2] ? 100 : 1) : null
    })
    return found.includes(null) ? null : found
  }

  function acceptanceEntered() {
    const found = numbers(field("acceptance").value)
    if (!found || !found.length || found.some((a) => !(a >= 0 && a <= 1))) return null
    return found.some((a, i) => i && a > found[i - 1]) ? null : found
  }

  function costsEntered() {
    const found = numbers(field("costs").value)
    return found && found.some((cost) => cost > 0) && !found.some((cost) => cost <= 0) ? found : null
  }

  function mark(name, good) {
    const said = good ? `calc-${name}-hint` : `calc-${name}-error calc-${name}-hint`
    field(name).setAttribute("aria-invalid", String(!good))
    field(name).setAttribute("aria-describedby", said)
    part(`${name}-error`).hidden = Boolean(good)
    return good
  }

  function rows(acceptance, costs) {
    return costs.map((cost, i) => {
      const length = expectedTokens(acceptance, i + 1)
      const known = length !== null && cost > 0
      return { n: i + 1, length, cost, speedup: known ? expectedSpeedup(length, cost) : null }
    })
  }

  function cell(tag, value, text) {
    const made = document.createElement(tag)
    if (tag === "th") made.scope = "row"
    const held = document.createElement("data")
    const known = value !== null && !Number.isNaN(value)
    held.value = known ? value : ""
    held.textContent = known ? text(value) : "–"
    made.append(held)
    return made
  }

  // A bar of the speed-up with a line at 1, the baseline; its value stands beside it.
  function bar(speedup, widest) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
    const draw = (name, attributes) => {
      const made = document.createElementNS(svg.namespaceURI, name)
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
      svg.append(made)
    }
    svg.setAttribute("viewBox", "0 0 100 10")
    svg.setAttribute("preserveAspectRatio", "none")
    svg.setAttribute("aria-hidden", "true")
    draw("rect", { width: (100 * speedup) / widest, height: 10 })
    draw("line", { x1: 100 / widest, x2: 100 / widest, y1: 0, y2: 10 })
    return svg
  }

  function show(found, best) {
    const widest = Math.max(1, ...found.map((row) => row.speedup ?? 0))
    part("rows").replaceChildren(...found.map((row) => {
      const line = document.createElement("tr")
      const result = cell("td", row.speedup, times)
      if (row.speedup !== null) result.append(bar(row.speedup, widest))
      if (row === best) line.className = "sp-best"
      line.append(cell("th", row.n, String), cell("td", row.length, shown), cell("td", row.cost, shown), result)
      return line
    }))
  }

  function answer(best) {
    if (!best) return said("nothing_known")
    const values = { n: best.n, x: times(best.speedup), length: shown(best.length), cost: shown(best.cost) }
    if (best.speedup >= NO_GAIN) return said("pays", values)
    return said(best.speedup >= 1 ? "hardly" : "never", values)
  }

  function reckon() {
    const acceptance = mark("acceptance", acceptanceEntered())
    const costs = mark("costs", costsEntered())
    part("result").hidden = !(acceptance && costs)
    if (!acceptance || !costs) { part("answer").textContent = said("incomplete"); return }
    const found = rows(acceptance, costs)
    const best = found.reduce((top, row) => (row.speedup > (top ? top.speedup : 0) ? row : top), null)
    show(found, best)
    part("answer").textContent = answer(best)
  }

  const entered = (values) =>
    values.map((v) => (Number.isNaN(v) ? "?" : v.toLocaleString(language, { maximumFractionDigits: 4, useGrouping: false }))).join(" ")

  // The server's own rate leaves out the first token, which comes out of the prompt's pass.
  function rateOf(requests) {
    const timed = requests.filter((one) => one.predicted_n > 1 && one.predicted_ms > 0)
    if (!timed.length || timed.length < requests.length) return null
    const total = (name) => timed.reduce((sum, one) => sum + one[name], 0)
    return (1000 * (total("predicted_n") - timed.length)) / total("predicted_ms")
  }

  function pasted() {
    const text = field("log").value
    if (!text.trim()) { stated(); return }
    const { requests, n_max: shownN } = serverLog.read(text)
    if (!requests.length) { part("read").textContent = said("read_nothing"); return }
    const total = (name) => requests.reduce((sum, one) => sum + one[name], 0)
    const [drafted, accepted] = [total("drafted"), total("accepted")]
    const n = shownN ?? statedN()
    const length = lengthOf(requests, accepted / drafted, n)
    const rate = rateOf(requests)
    const told = [said("read_counts", { requests: requests.length, drafted, accepted, share: shown((100 * accepted) / drafted, 1) })]
    if (rate) told.push(said("read_rate", { rate: shown(rate, 1) }))
    told.push(takeAcceptance(requests, length, n))
    told.push(takeCost(length, n, rate))
    part("read").textContent = told.filter(Boolean).join(" ")
    reckon()
  }

  const statedN = () => (/^\s*[1-9]\d?\s*$/.test(field("n_max").value) ? Number(field("n_max").value) : null)
  const number = (name) => (numbers(field(name).value) ?? [])[0]
  const refused = (name) => (field(name).value.trim() ? said(`bad_${name}`) : "")

  // A rate alone: each step is taken to draft n_max tokens.
  function stated() {
    const [share, n] = [number("rate"), statedN()]
    const known = share >= 0 && share <= 1
    const told = known ? takeAcceptance([], n ? 1 + n * share : null, n) : refused("rate")
    part("read").textContent = [told, number("baseline") > 0 ? "" : refused("baseline")].filter(Boolean).join(" ")
    reckon()
  }

  // Tokens of a step: as the server prints them, else those of steps that draft n_max tokens each.
  function lengthOf(requests, share, n) {
    if (requests.length === 1 && requests[0].length) return requests[0].length
    return n ? 1 + n * share : null
  }

  function takeAcceptance(requests, length, n) {
    const positions = requests.length === 1 ? requests[0].positions : []
    if (positions.length > 1) { field("acceptance").value = entered(positions); return said("took_positions") }
    if (!n) return refused("n_max") || said("lacks_n")
    if (length - 1 > n) return said("contradicts_n", { n })
    const a = acceptanceOfAToken((length - 1) / n, n)
    field("acceptance").value = entered([a])
    return said("took_rate", { n, a: shown(a, 3) })
  }

  // The step cost of the one n_max that was run, where the speed without speculation is known.
  function takeCost(length, n, rate) {
    const plain = number("baseline")
    if (!(plain > 0)) return refused("baseline")
    if (!n || !rate) return ""
    const cost = stepCost(length, rate / plain)
    field("costs").value = entered([...Array(n - 1).fill(NaN), cost])
    field("machine").value = ""
    return said("took_cost", { n, cost: shown(cost) })
  }

  form.addEventListener("submit", (event) => event.preventDefault())
  form.addEventListener("input", (event) => {
    const name = event.target.name
    if (["log", "rate", "n_max", "baseline"].includes(name)) { pasted(); return }
    if (name === "machine" && event.target.value) field("costs").value = entered(numbers(event.target.value))
    if (name === "costs") field("machine").value = ""
    reckon()
  })
  field("costs").value = entered(numbers(field("machine").value))
  field("acceptance").value = entered(numbers(field("acceptance").value))
  form.hidden = false
  reckon()
})()
