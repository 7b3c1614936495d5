import { fieldOf, queryFields, type QueryField, type QueryFieldName } from './query-fields.ts'

/** One value of a condition: a word, or more or less than a number (bytes, or seconds of age). */
export type QueryValue = { is: string } | { over: number } | { under: number }
/** A condition is met by any of its values. `at` and `end`: where it stands in the text. */
export type QueryCondition = { field: QueryFieldName; values: QueryValue[]; at: number; end: number }
/** A word that is in a name or a number; of a quoted one, also its blanks. */
export type QueryWord = { word: string; quoted?: true }
/** A question about assets: all of some, any of some, not one, words that must be found, or a condition. */
export type AssetQuery = { all: AssetQuery[] } | { any: AssetQuery[] } | { not: AssetQuery } | QueryWord | QueryCondition

/** What cannot be read, and where. */
export type QueryMistake = { at: number; words: string }
export type ParsedQuery = { query: AssetQuery; mistake?: undefined } | { mistake: QueryMistake; query?: undefined }

export const longestQuery = 2000
const mostConditions = 100
const deepest = 10

type Token = { text: string; at: number; end: number; kind: 'open' | 'close' | 'minus' | 'and' | 'or' | 'not' | 'term' }

class Unreadable extends Error {
  readonly at: number
  constructor(at: number, words: string) {
    super(words)
    this.at = at
  }
}

/**
 * Reads one line: words and `field:value` that must all be met, `or` between those of which one is enough, `not` or `-` before what must not
 * be, brackets, quotes around what has blanks, and commas between values of which one is enough.
 */
export function parseAssetQuery(text: string): ParsedQuery {
  try {
    if (text.length > longestQuery) throw new Unreadable(longestQuery, `Use at most ${longestQuery} characters`)
    return { query: new Parser(tokensOf(text)).whole() }
  } catch (error) {
    if (error instanceof Unreadable) return { mistake: { at: error.at, words: error.message } }
    throw error
  }
}

/** The fields that a question asks for. */
export function fieldsOf(query: AssetQuery): Set<QueryFieldName> {
  if ('all' in query) return new Set(query.all.flatMap((one) => [...fieldsOf(one)]))
  if ('any' in query) return new Set(query.any.flatMap((one) => [...fieldsOf(one)]))
  if ('not' in query) return fieldsOf(query.not)
  return new Set('field' in query ? [query.field] : [])
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at++
      continue
    }
    const start = at
    const one = text[at]!
    if (one === '(' || one === ')') tokens.push({ kind: one === '(' ? 'open' : 'close', text: one, at: start, end: ++at })
    else if (one === '-' && /[^\s)]/.test(text[at + 1] ?? ' ')) tokens.push({ kind: 'minus', text: one, at: start, end: ++at })
    else {
      at = endOfTerm(text, at)
      const term = text.slice(start, at)
      const joins = /^(and|or|not)$/i.test(term)
      tokens.push({ kind: joins ? (term.toLowerCase() as Token['kind']) : 'term', text: term, at: start, end: at })
    }
  }
  return tokens
}

/** Up to a blank or bracket that stands in no quotes. */
function endOfTerm(text: string, start: number): number {
  let quoted = false
  let at = start
  for (; at < text.length; at++) {
    const one = text[at]!
    if (one === '"') quoted = !quoted
    else if (!quoted && /[\s()]/.test(one)) break
  }
  if (quoted) throw new Unreadable(text.lastIndexOf('"', at), 'A quotation mark is missing')
  return at
}

class Parser {
  #tokens: readonly Token[]
  #next = 0
  #conditions = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  whole(): AssetQuery {
    if (this.#tokens.length === 0) return { all: [] }
    const query = this.#any(0)
    const rest = this.#tokens[this.#next]
    if (rest) throw new Unreadable(rest.at, 'A bracket is closed here that was not opened')
    return query
  }

  #any(depth: number): AssetQuery {
    const any = [this.#all(depth)]
    while (this.#take('or')) any.push(this.#all(depth))
    return any.length === 1 ? any[0]! : { any }
  }

  #all(depth: number): AssetQuery {
    const all = [this.#one(depth)]
    for (;;) {
      const next = this.#tokens[this.#next]
      if (!next || next.kind === 'or' || next.kind === 'close') break
      this.#take('and')
      all.push(this.#one(depth))
    }
    return all.length === 1 ? all[0]! : { all }
  }

  #one(depth: number): AssetQuery {
    if (depth > deepest) throw new Unreadable(this.#tokens[this.#next]?.at ?? 0, `Use at most ${deepest} brackets or “not” in each other`)
    if (this.#take('not') || this.#take('minus')) return { not: this.#one(depth + 1) }
    const open = this.#take('open')
    if (open) {
      const inner = this.#any(depth + 1)
      if (!this.#take('close')) throw new Unreadable(open.at, 'This bracket is not closed')
      return inner
    }
    const term = this.#take('term')
    const found = this.#tokens[this.#next] ?? this.#tokens.at(-1)!
    if (!term) throw new Unreadable(found.at, `Something to look for is missing at “${found.text}”`)
    if (++this.#conditions > mostConditions) throw new Unreadable(term.at, `Use at most ${mostConditions} words and conditions`)
    return readTerm(term)
  }

  #take(kind: Token['kind']): Token | undefined {
    const token = this.#tokens[this.#next]
    if (token?.kind !== kind) return undefined
    this.#next++
    return token
  }
}

/** A condition where a field's name stands before the colon, else a word: an address or a name may have a colon. */
function readTerm({ text, at, end }: Token): AssetQuery {
  const [, name, rest] = /^([a-z_]+):(.*)$/is.exec(text) ?? []
  const field = name === undefined ? undefined : fieldOf(name.toLowerCase())
  if (!field) {
    if (name !== undefined && !text.startsWith('"') && /^[a-z_]+$/.test(name) && rest !== '' && !/^[\da-f:]+$/i.test(text)) {
      throw new Unreadable(
        at,
        `Nothing can be asked by “${name}”. Use ${Object.keys(queryFields).join(', ')}, or put it in quotation marks`
      )
    }
    return { word: withoutQuotes(text), ...(text.includes('"') && { quoted: true }) }
  }
  const values = splitAtCommas(rest!).map((value) => readValue(field, value, at))
  return { field: name!.toLowerCase() as QueryFieldName, values, at, end }
}

const withoutQuotes = (text: string) => text.replaceAll('"', '')
const splitAtCommas = (text: string) => text.match(/(?:"[^"]*"|[^,"])+/g) ?? ['']

function readValue(field: QueryField, written: string, at: number): QueryValue {
  const value = withoutQuotes(written).trim()
  const wrong = (words: string) => new Unreadable(at, `${field.label}: ${words}`)
  if (value === '') throw wrong('a value is missing')
  switch (field.kind) {
    case 'name':
      return { is: value }
    case 'code':
      if (!field.form.test(value)) throw wrong(`write it like ${field.example}`)
      return { is: field.kept(value) }
    case 'choice': {
      const choice = choiceOf(field.choices, value)
      if (!choice) throw wrong(`use one of ${Object.keys(field.choices).join(', ')}`)
      return { is: choice }
    }
    case 'bytes':
    case 'age': {
      const choice = field.choices && choiceOf(field.choices, value)
      if (choice) return { is: choice }
      const amount = amountOf(value, field.kind === 'bytes' ? byteUnits : timeUnits)
      const also = field.choices ? `, or ${Object.keys(field.choices).join(', ')}` : ''
      if (!amount) throw wrong(`write it like ${field.kind === 'bytes' ? '>1GB' : '>5d'}${also}`)
      return amount
    }
  }
}

/** By its key or by the words on the screen. */
const choiceOf = (choices: Record<string, string>, value: string): string | undefined =>
  Object.entries(choices).find(([key, words]) => [key, words.toLowerCase()].includes(value.toLowerCase()))?.[0]

const byteUnits: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 }
const timeUnits: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `>` where no sign stands: "silent:5d" is silent for five days or more. */
function amountOf(value: string, units: Record<string, number>): QueryValue | null {
  const [, sign, digits, unit] = /^([<>]?)(\d{1,12}(?:\.\d{1,6})?)\s*([a-z]+)$/i.exec(value) ?? []
  const size = unit === undefined ? undefined : units[unit.toLowerCase()]
  if (digits === undefined || size === undefined) return null
  const number = Math.round(Number(digits) * size)
  if (number > Number.MAX_SAFE_INTEGER) return null
  return sign === '<' ? { under: number } : { over: number }
}
