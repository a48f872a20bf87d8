// What lines of llama-server's log say about the requests that drafted something, by the rules of
// the package's own reader: lines belong together by slot and task, progress and `statistics` are
// no results, counts that contradict their rate are left out, and what no line says is null.
const serverLog = (() => {
  const KEY = /id +(\d+) \| task (-?\d+) \||\b(?:id_slot|slot_id)=(\d+) (?:id_task|task_id)=(\d+)/
  const HEADER = /print_timings?: id +\d+ \| task -?\d+ \|$/
  const TIME = /(prompt eval|generation eval|eval|total) time +=\s*(\d+\.\d\d) ms(?: \/\s*(\d+) (?:tokens|runs)\b)?/
  const DRAFT = /draft acceptance(?: rate)? = (\S+) \(\s*(\d+) accepted \/\s*(\d+) generated\)/
  const LENGTH = /mean (?:acceptance length|len) =\s*(\d+\.\d\d)(?!\d)/
  const POSITIONS = /acc(?:eptance rate per position| per pos) = \(([\d., ]+)\)/
  const OTHERS = /llama_perf|llama_print_timings|common_perf_print/
  const ENDED = /\brelease: id|\bslot released|\blaunch_slot_: id/
  const SHOWN = /- (?:n_match=\d+, )?n_max=(\d+), n_min=/
  const ASKED = /--(?:spec-)?draft(?:-n)?-max[ =]+["']?(\d+)/
  const ANSI = /\x1b\[[0-9;]*[A-Za-z]/g

  // The message of a JSON log object, else the line; slot and task in the place of the text form.
  function ownText(raw) {
    const text = raw.replace(ANSI, "").trimEnd()
    if (!text.trimStart().startsWith("{")) return [text]
    let entry = null
    try { entry = JSON.parse(text) } catch { return [text] }
    const message = entry.msg ?? entry.message ?? entry.log
    if (typeof message !== "string") return [text]
    const [slot, task] = [entry.id_slot ?? entry.slot_id, entry.id_task ?? entry.task_id]
    const ids = slot == null || task == null ? "" : ` | id_slot=${slot} id_task=${task} `
    return message.split("\n").map((line) => line.trimEnd() + ids)
  }

  function keyOf(text) {
    const found = KEY.exec(text)
    return found && { slot: found[1] ?? found[3], task: found[2] ?? found[4] }
  }

  function timeOf(text) {
    const found = OTHERS.test(text) ? null : TIME.exec(text)
    if (!found || (found[1] === "eval" && /[a-z] $/.test(text.slice(0, found.index)))) return null
    const what = found[1] === "generation eval" ? "eval" : found[1]
    return { what, ms: Number(found[2]), n: found[3] ? Number(found[3]) : null }
  }

  function positionsOf(text) {
    const found = POSITIONS.exec(text)
    return found ? found[1].split(",").map(Number) : []
  }

  function draftOf(text) {
    const found = DRAFT.exec(text)
    if (!found) return null
    const [accepted, drafted] = [Number(found[2]), Number(found[3])]
    if (drafted && !(Math.abs(Number(found[1]) - accepted / drafted) <= 1.1e-5)) return null
    const length = LENGTH.exec(text)
    return { accepted, drafted, length: length && Number(length[1]), positions: positionsOf(text) }
  }

  const sum = (values) => values.reduce((total, value) => total + value, 0)

  // Whether so many steps give the printed rates and, added up, the accepted tokens.
  function fits(accepted, steps, rates) {
    const counts = rates.map((rate) => Math.round(rate * steps))
    const close = counts.every((count, i) => Math.abs(count / steps - rates[i]) <= 0.000501)
    return !rates.length || (close && sum(counts) === accepted)
  }

  // Steps from the mean length, 1 + accepted / steps to two digits; null where several fit.
  function stepsOf({ accepted, length, positions }) {
    if (length === null || accepted < 1 || length - 1 <= 0.00501) return null
    const found = []
    const last = Math.floor(accepted / (length - 1 - 0.00501))
    for (let steps = Math.ceil(accepted / (length - 1 + 0.00501)); steps <= last; steps++)
      if (fits(accepted, steps, positions)) found.push(steps)
    return found.length === 1 ? found[0] : null
  }

  // The one n_max with which every step but the last drafts in full; 8 steps prove it.
  function provenNMax(draft) {
    const steps = stepsOf(draft)
    if (!steps || steps < 8) return null
    const low = Math.ceil(draft.drafted / steps)
    const proven = low === Math.floor((draft.drafted - 1) / (steps - 1)) ? low : null
    return proven && draft.positions.length > proven ? null : proven
  }

  class Block {
    constructor(key) { Object.assign(this, { key, prompt: null, eval: null, draft: null, total: false, unsure: false, doubtful: false }) }
    holds(what) {
      if (what === "prompt eval") return Boolean(this.prompt || this.eval || this.draft)
      return Boolean((this.eval && !this.unsure) || this.draft)
    }
    add(time) {
      if (time.what === "prompt eval") { this.prompt = time; return }
      if (this.unsure) { this.prompt = this.eval; this.unsure = false }
      this.eval = time
    }
  }

  class Reader {
    constructor() { Object.assign(this, { open: new Map(), current: null, span: "", mixed: false, loose: false, blocks: [], shown: new Set(), asked: null, types: new Set() }) }

    line(text, first) {
      const time = timeOf(text)
      this.settings(text)
      if (time) this.time(time, keyOf(text), first && /^.?eval time/.test(text))
      else if (text.includes("draft acceptance") || text.includes("acc per pos")) this.draft(text, keyOf(text))
      else if (HEADER.test(text)) this.header(keyOf(text))
      else if (ENDED.test(text)) this.end(keyOf(text))
    }

    settings(text) {
      if (SHOWN.test(text)) this.shown.add(Number(SHOWN.exec(text)[1]))
      if (text.includes("server") && ASKED.test(text)) this.asked = Number(ASKED.exec(text)[1])
      const type = /statistics +(\S+): #calls|adding speculative implementation '([^']+)'/.exec(text)
      if (type) this.types.add(type[1] ?? type[2])
    }

    start(key, keepBare = false) {
      this.close(key ? key.slot : null)
      if (key && !keepBare) this.close(null)
      const block = new Block(key)
      this.open.set(key ? key.slot : null, block)
      return block
    }

    same(key) {
      const block = this.open.get(key.slot)
      return block && block.key.task === key.task ? block : null
    }

    close(slot) {
      const block = this.open.get(slot)
      if (!block) return
      this.open.delete(slot)
      if (this.current === block) this.current = null
      if (block.unsure) block.eval = null
      if (!block.doubtful && block.draft && block.draft.drafted) this.blocks.push(block)
    }

    time(time, key, unsure) {
      if (time.what === "total") { this.total(key); return }
      if (time.n === null) return
      const block = key ? this.keyed(key, time.what) : this.bare(time.what)
      if (!block) return
      block.add(time)
      block.unsure = unsure
    }

    total(key) {
      const block = key ? this.open.get(key.slot) : this.current
      if (block) { block.total = block.total || block.eval !== null; block.unsure = false }
      if (!key) this.span += "t"
    }

    keyed(key, what) {
      let block = this.same(key)
      if (!block || block.holds(what)) block = this.start(key)
      return (this.current = block)
    }

    bare(what) {
      this.span += what[0]
      const block = this.current
      if (this.mixed) return null
      if (!block || (!block.key && block.holds(what)) || block.total) return (this.current = this.start(null))
      if (!block.holds(what)) return block
      this.mix()
      return null
    }

    mix() {
      this.mixed = true
      for (const block of this.open.values()) block.doubtful = true
    }

    header(key) {
      const before = this.current
      const block = this.same(key) ?? this.start(key, true)
      if (before && before !== block && before.key) this.leave(before)
      if (this.mixed) {
        block.doubtful = block.doubtful || !(block.prompt || block.eval || block.draft)
        this.mixed = !this.span.startsWith("pet")
      }
      this.current = block
      this.span = ""
    }

    leave(block) {
      if (!block.eval && !block.draft) this.mix()
      else if (!block.total && !block.draft) this.loose = true
    }

    draft(text, key) {
      const found = draftOf(text)
      let block = key ? this.same(key) ?? this.start(key) : this.bareDraft()
      if (!block) return
      if (found && block.draft && !block.key && !block.eval) block = this.current = this.start(null)
      block.unsure = false
      if (!found) this.positions(block, positionsOf(text))
      else if (block.draft) block.doubtful = true
      else block.draft = found
    }

    positions(block, rates) {
      if (block.draft && !block.draft.positions.length) block.draft.positions = rates
    }

    // Lines that lost their header are adopted by the one behind them; a lone line stands alone.
    bareDraft() {
      const block = this.current
      const orphan = this.open.get(null)
      this.span += "d"
      if (block && block.key && !block.prompt && !block.eval && !block.draft && orphan && orphan.total && !orphan.draft) {
        this.open.delete(null)
        orphan.key = block.key
        this.open.set(orphan.key.slot, orphan)
        return (this.current = orphan)
      }
      const untrusted = this.mixed || (this.loose && block && !block.total)
      if (untrusted && block) block.doubtful = true
      return untrusted ? null : block ?? (this.current = this.start(null))
    }

    end(key) {
      if (key && this.open.has(key.slot)) this.close(key.slot)
      this.close(null)
    }

    nMax(proven) {
      if (this.shown.size) return this.shown.size === 1 ? [...this.shown][0] : null
      const even = this.types.size < 2 && ![...this.types].some((type) => type.startsWith("ngram"))
      return this.asked ?? (even ? proven : null)
    }
  }

  // An answer of the server, whole or cut down to its counts, as the guide's own command prints it.
  function answers(text) {
    const all = (name) => [...text.matchAll(new RegExp(`"${name}" *: *([\\d.]+)`, "g"))].map((m) => Number(m[1]))
    const [drafted, accepted, n, ms] = ["draft_n", "draft_n_accepted", "predicted_n", "predicted_ms"].map(all)
    if (!drafted.length || drafted.length !== accepted.length) return []
    const timed = n.length === drafted.length && ms.length === drafted.length
    return drafted.map((count, i) => ({
      drafted: count, accepted: accepted[i], length: null, positions: [],
      predicted_n: timed ? n[i] : null, predicted_ms: timed ? ms[i] : null,
    })).filter((one) => one.drafted)
  }

  // { requests: [{drafted, accepted, length, positions, predicted_n, predicted_ms}], n_max }
  function read(text) {
    const reader = new Reader()
    text.split(/\r?\n/).forEach((raw, i) => ownText(raw).forEach((line) => reader.line(line, i === 0)))
    for (const slot of [...reader.open.keys()]) reader.close(slot)
    const requests = reader.blocks.map(({ draft, eval: time }) => ({
      ...draft, predicted_n: time && time.n, predicted_ms: time && time.ms,
    }))
    const proven = requests.map(provenNMax).find((n) => n !== null) ?? null
    return { requests: requests.length ? requests : answers(text), n_max: reader.nMax(proven) }
  }

  return { read }
})()
