import type { Reply } from '@masthead/contract/kernel/operation'
import type { getStrip } from '@masthead/contract/overview/glance-operations'

export type StripReply = Reply<typeof getStrip>

export const hours = 25
export const states = { u: 0, s: 1, r: 2, b: 3, n: 4 } as const
export type State = (typeof states)[keyof typeof states]

/** Every hour of every line: `at(line, hour)`. */
export type Hours = { count: number; at: (line: number, hour: number) => State }

/** `u20s4r1` for each line, as numbers that a frame can read 20,000 times over. */
export function hoursOf(runs: readonly string[]): Hours {
  const all = new Uint8Array(runs.length * hours)
  for (const [line, text] of runs.entries()) {
    let hour = 0
    for (const [, letter, length] of text.matchAll(/([usrbn])(\d+)/g))
      for (let left = Number(length); left > 0 && hour < hours; left--) all[line * hours + hour++] = states[letter as keyof typeof states]
  }
  return { count: runs.length, at: (line, hour) => all[line * hours + hour] as State }
}

/** What is shown of it: hours from `t0` to before `t1`, and of each group some lines and a number of SIMs that have none. */
export type View = { t0: number; t1: number; groups: readonly ViewGroup[] }
export type ViewGroup = { group: number; lines: readonly number[]; others: number }

export function wholeView({ groups, lines }: StripReply): View {
  const byGroup = Map.groupBy([...lines.group.keys()], (line) => lines.group[line]!)
  return {
    t0: 0,
    t1: hours,
    groups: groups.map(({ sims, hidden }, group) => {
      const own = byGroup.get(group) ?? []
      // What was not as usual and has no line is not shown at all: in the band it would be as usual.
      return { group, lines: own, others: Math.max(0, sims - hidden - own.length) }
    }),
  }
}

/** One line of the picture: SIMs that are alike, from `y`, `height` high. `usual`: SIMs that all were as usual, `fold` of them. */
export type Row = { group: number; lines: readonly number[]; y: number; height: number; fold: number }
export type Layout = { rows: readonly Row[]; bands: readonly { group: number; y: number; height: number }[] }

const gap = 5
/** Room of one group's name. */
const leastBand = 13
const highestRow = 22
/** Beside those that are as usual together. */
const highestOff = 4
/** Of the height, for what is not as usual. */
const shareOfOff = 0.55

export const simsIn = (view: View) => view.groups.reduce((sum, { lines, others }) => sum + lines.length + others, 0)

/**
 * Where each line stands. Where all fit, each SIM has a line. Else what was as usual in these hours is one band, and beyond the height SIMs share
 * lines, those next to each other, which are alike.
 */
export function layOut(view: View, at: Hours['at'], height: number): Layout {
  const groups = view.groups.filter(({ lines, others }) => lines.length + others > 0)
  const room = height - gap * Math.max(0, groups.length - 1)
  const isOff = (line: number) => {
    for (let hour = view.t0; hour < view.t1; hour++) if (at(line, hour) !== states.u) return true
    return false
  }
  const sims = simsIn(view)
  const single = groups.every(({ others }) => others === 0) && sims <= room
  const parts = groups.map(({ group, lines, others }) => {
    const off = single ? lines : lines.filter(isOff)
    return { group, off, usual: single ? 0 : others + lines.length - off.length }
  })
  const offs = parts.reduce((sum, { off }) => sum + off.length, 0)
  const roomOfOff = room * shareOfOff - parts.length
  const each = single
    ? Math.max(1, Math.min(highestRow, Math.floor(room / Math.max(1, sims))))
    : Math.max(1, Math.min(highestOff, Math.floor(roomOfOff / Math.max(1, offs))))
  const shared = single ? 1 : Math.max(1, offs / Math.max(1, roomOfOff))
  const lineRows = parts.map(({ off }) => Math.ceil(off.length / shared))
  const left = Math.max(0, room - lineRows.reduce((sum, rows) => sum + rows * each, 0))
  const usuals = Math.max(
    1,
    parts.reduce((sum, { usual }) => sum + usual, 0)
  )
  // A small group still has room for its name; what that takes is taken from the large ones.
  const least = parts.map(({ usual }, i) => (usual > 0 ? Math.max(2, leastBand - lineRows[i]! * each) : 0))
  const spare = Math.max(0, left - least.reduce((sum, one) => sum + one, 0))
  const rows: Row[] = []
  const bands: Layout['bands'][number][] = []
  let y = 0
  for (const [i, { group, off, usual }] of parts.entries()) {
    const top = y
    for (let row = 0; row < lineRows[i]!; row++) {
      const from = Math.floor((row * off.length) / lineRows[i]!)
      const to = Math.floor(((row + 1) * off.length) / lineRows[i]!)
      rows.push({ group, lines: off.slice(from, to), y, height: each, fold: 0 })
      y += each
    }
    if (usual > 0) {
      const band = least[i]! + Math.floor((usual / usuals) * spare)
      rows.push({ group, lines: [], y, height: band, fold: usual })
      y += band
    }
    bands.push({ group, y: top, height: y - top })
    y += gap
  }
  return { rows, bands }
}

/** The state most lines of a row have in an hour, of those that are not as usual: a row of one is that one. */
export function stateOf({ lines }: Row, at: Hours['at'], hour: number): State {
  if (lines.length === 1) return at(lines[0]!, hour)
  const counts = [0, 0, 0, 0, 0]
  for (const line of lines) counts[at(line, hour)]!++
  return counts.indexOf(Math.max(...counts)) as State
}

/** The row at a height, or the nearest. */
export const rowAt = ({ rows }: Layout, y: number): number => {
  let best = -1
  let distance = Infinity
  for (const [i, row] of rows.entries()) {
    const away = y < row.y ? row.y - y : y >= row.y + row.height ? y - row.y - row.height + 1 : 0
    if (away < distance) [best, distance] = [i, away]
    if (away === 0) break
  }
  return best
}

/** The rows between two heights, and hours between two places, as a view of their own. */
export function zoomTo(view: View, layout: Layout, part: { t0: number; t1: number; y0: number; y1: number }): View {
  const chosen = layout.rows.filter(({ y, height }) => y + height > part.y0 && y <= part.y1)
  const groups = Map.groupBy(chosen, ({ group }) => group)
  const t0 = Math.max(0, Math.min(Math.floor(part.t0), hours - 2))
  return {
    t0,
    t1: Math.min(hours, Math.max(t0 + 2, Math.ceil(part.t1))),
    groups: view.groups.flatMap(({ group, lines, others }) => {
      const rows = groups.get(group)
      if (!rows) return []
      const own = rows.flatMap((row) => row.lines)
      if (!rows.some(({ fold }) => fold > 0)) return [{ group, lines: own, others: 0 }]
      // With the band come its SIMs that have a line but were as usual in the hours shown before.
      const drawn = new Set(layout.rows.flatMap((row) => (row.group === group ? row.lines : [])))
      return [{ group, lines: [...own, ...lines.filter((line) => !drawn.has(line))], others }]
    }),
  }
}
