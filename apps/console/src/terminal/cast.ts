import type { Size } from '@masthead/contract/terminal/session'

type CastEvent = { at: number; kind: 'o' | 'i' | 'r' | 'm'; data: string }
export type Recorded = { size: Size; title: string; startedAt: number; events: CastEvent[]; length: number }

const kinds = new Set(['o', 'i', 'r', 'm'])

/** Reads an asciicast of version 2. What a server that was killed left half written at the end is passed over. */
export function readCast(text: string): Recorded {
  const [head = '{}', ...lines] = text.split('\n')
  const { width = 80, height = 24, title = '', timestamp = 0 } = JSON.parse(head) as Record<string, never>
  const events: CastEvent[] = []
  for (const line of lines) {
    try {
      const [at, kind, data] = JSON.parse(line) as [number, CastEvent['kind'], string]
      if (kinds.has(kind)) events.push({ at, kind, data })
    } catch {
      // Not whole.
    }
  }
  return { size: { cols: width, rows: height }, title, startedAt: timestamp * 1000, events, length: events.at(-1)?.at ?? 0 }
}

export const sizeOf = (data: string): Size | null => {
  const [, cols, rows] = /^(\d+)x(\d+)$/.exec(data) ?? []
  return cols && rows ? { cols: Number(cols), rows: Number(rows) } : null
}

// oxlint-disable-next-line no-control-regex
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g

/** Where a text stands in what was shown or typed, as indexes of events: the one in which it ends. */
export function findIn({ events }: Recorded, wanted: string): number[] {
  const needle = wanted.toLowerCase()
  if (needle === '') return []
  const hits: number[] = []
  for (const kind of ['o', 'i'] as const) {
    let text = ''
    const ends: { place: number; event: number }[] = []
    events.forEach((event, index) => {
      if (event.kind !== kind) return
      text += event.data.replaceAll(escapes, '').toLowerCase()
      ends.push({ place: text.length, event: index })
    })
    let next = 0
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      while (ends[next]!.place < at + needle.length) next++
      hits.push(ends[next]!.event)
    }
  }
  return [...new Set(hits)].toSorted((a, b) => a - b)
}

export const clock = (s: number): string => `${String(Math.floor(s / 60)).padStart(2, '0')}:${String(Math.floor(s % 60)).padStart(2, '0')}`
