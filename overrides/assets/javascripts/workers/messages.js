// In front of the theme's search worker, whose file the query of this one's address names: asked with
// what a server printed, the search puts first the pitfall that quotes it.
// The theme sends { type, data } with an index or a query, and is answered with results by page.
const [INDEX, QUERY, RESULTS] = [0, 2, 3]
const MOST_WORDS = 40
let quotes = []
let anchors = new Map()
let accented = new Map()
let wanted = null

// Names, numbers and signs are of one server alone: what is left of a message is its words.
const wordsOf = (text) => text.toLowerCase().replace(/&\w+;|\d+/g, " ").match(/[a-z_]{2,}/g) ?? []
const unnamed = (text) => text.replace(/(^|\W)(?:'[^'\s]*'|"[^"\s]*"|--?\w[\w-]*)|\w*…\w*/g, "$1 ")
const bare = (word) => word.normalize("NFD").replace(/\p{M}/gu, "")

// Every message that a pitfall quotes. A word weighs less the more pitfalls have it.
function quotesOf(pitfalls) {
  const found = pitfalls.flatMap(({ location, messages }) =>
    messages.map((text) => ({ location, words: wordsOf(unnamed(text)) })))
  const holders = new Map()
  for (const { location, words } of found)
    for (const word of words) holders.set(word, (holders.get(word) ?? new Set()).add(location))
  const weight = (words) => [...new Set(words)].reduce((sum, word) => sum + 1 / holders.get(word).size, 0)
  return found.map((quote) => ({ ...quote, weight: weight(quote.words) }))
}

// Words with accents, by what is typed in a hurry; not where that is a word of its own.
function accentedOf(docs) {
  const words = new Set(docs.flatMap(({ text }) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? []))
  return new Map([...words].filter((word) => !words.has(bare(word))).map((word) => [bare(word), word]))
}

function learn(docs) {
  const pitfalls = docs.filter(({ messages }) => messages)
  quotes = quotesOf(pitfalls)
  anchors = new Map(pitfalls.map((doc) => [doc.location.split("#")[1], doc]))
  accented = accentedOf(docs)
}

function follow(words, text) {
  let at = -1
  return words.every((word) => (at = text.indexOf(word, at + 1)) >= 0)
}

// Of a log only its errors, where it has some; a field of one line has made one line of it.
function linesOf(text) {
  const lines = text.split(/(?:^|\s)\d+(?:\.\d{2,3}){2,3} (?=[A-Z] )/)
  const errors = lines.filter((line) => line.startsWith("E "))
  return errors.length ? errors : lines
}

function quoted(text) {
  const lines = linesOf(text).map(wordsOf)
  const held = quotes.filter(({ words }) => words.length > 1 && lines.some((line) => follow(words, line)))
  return held.reduce((best, quote) => (best && best.weight >= quote.weight ? best : quote), null)
}

// Signs would be commands to the theme (`type: mtp` asks for a field, `-x` is to be absent), and it
// finds a single letter at the start of any word: of "l'acceptation" the word is left.
function plain(text) {
  if (text.includes('"') && !/[:{}()[\]=<>]/.test(text)) return text // a phrase
  const signs = /[^\p{L}\p{N}_.*-]+|(?<![\p{L}\p{N}_])[-.*]+|[-.]+(?![\p{L}\p{N}_])/gu
  const words = text.replace(signs, " ").trim().split(" ")
  const long = words.filter((word) => word.length > 1).slice(0, MOST_WORDS)
  return (long.length ? long : words).map((word) => accented.get(word.toLowerCase()) ?? word).join(" ")
}

function query(text) {
  const named = anchors.get(text.trim().split("#").at(-1))
  const found = named ?? quoted(text)
  wanted = found && found.location
  if (named) return plain(named.title.split(" · ")[0])
  return found ? found.words.join(" ") : plain(text)
}

const first = (list, test) => [...list.filter(test), ...list.filter((one) => !test(one))]

function ordered(pages) {
  const isWanted = ({ location }) => location === wanted
  return first(pages.map((page) => first(page, isWanted)), (page) => page.some(isWanted))
}

addEventListener("message", (event) => {
  const { type, data } = event.data
  if (type === INDEX) learn(data.docs)
  if (type !== QUERY || !event.isTrusted) return
  event.stopImmediatePropagation()
  dispatchEvent(new MessageEvent("message", { data: { type, data: query(data) } }))
})

const post = postMessage.bind(self)
self.postMessage = (message) => {
  if (message.type === RESULTS && wanted) message.data.items = ordered(message.data.items)
  post(message)
}

importScripts(location.search.slice(1))
