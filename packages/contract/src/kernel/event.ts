import type * as z from 'zod/mini'
import { shownOfEvents, type Area } from './live.ts'
import { formatDay } from './time.ts'

type Schema = z.ZodMiniType

export type EventKind<Detail extends Schema = Schema> = {
  /** `area.what_happened`, past tense: the activity log's category and action. */
  name: `${string}.${string}`
  /** The areas whose screens show what it changed: open consoles ask for them again. `event` adds those that show every event. */
  refreshes: readonly Area[]
  /** What the server does after it, each in a job of its own: names of effects (`effects.ts` of the server's areas). */
  effects?: readonly string[]
  detail: Detail
  /** Names of the events that it stands for, which were recorded of many assets and sent to nobody: webhooks for those are sent this one. */
  standsFor?: (detail: z.output<Detail>) => readonly string[]
  /** The words of the activity log, with `{field}` for a field of the detail, shown bold. A function where the words depend on the detail. */
  sentence: string | ((detail: z.output<Detail>) => string)
}

/** Declares an event; `record` on the server is the only way to write one. */
export const event = <Detail extends Schema>(kind: EventKind<Detail>): EventKind<Detail> => ({
  ...kind,
  refreshes: [...kind.refreshes, ...shownOfEvents],
})

/** The sentence of an event cut into plain words and the detail's own values (`strong`). An unknown event, or one from before its detail changed, reads "Performed action {name}" (spec §4). */
export function sentenceParts(kind: EventKind | undefined, name: string, detail: unknown): { text: string; strong: boolean }[] {
  if (!kind?.detail.safeParse(detail).success) return [{ text: `Performed action ${name}`, strong: false }]
  const template = typeof kind.sentence === 'string' ? kind.sentence : kind.sentence(detail as never)
  const values = (detail ?? {}) as Record<string, unknown>
  return template
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, field] = /^\{(\w+)\}$/.exec(part) ?? []
      return field === undefined ? { text: part, strong: false } : { text: valueWords(field, values[field]), strong: true }
    })
}

/** Fields that are a day on which something begins: "2026-12-27". */
const days = ['effective_from', 'from_day']

/** Fields whose number is the name of something, as "version 1000": it counts nothing. */
const numbers = ['version', 'number']

/** As on the screens: 27 Dec 2026, a count with its thousands apart, and several with a comma and a blank. */
function valueWords(field: string, value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'number' && !numbers.includes(field)) return value.toLocaleString('en')
  return days.includes(field) && typeof value === 'string' ? formatDay(value) : String(value ?? '—')
}

/** The words of a sentence's parts. */
export const wordsOf = (parts: { text: string }[]): string => parts.map(({ text }) => text).join('')

export const sentenceOf = (kind: EventKind | undefined, name: string, detail: unknown): string => wordsOf(sentenceParts(kind, name, detail))
