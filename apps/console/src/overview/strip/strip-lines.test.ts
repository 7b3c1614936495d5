import { describe, expect, test } from 'vitest'
import { hours, hoursOf, layOut, rowAt, simsIn, stateOf, states, wholeView, zoomTo, type StripReply } from './strip-lines.ts'

const height = 264

/** Groups of SIMs: runs of those that have a line, and how many SIMs there are in all. */
const stripOf = (...groups: { sims: number; runs: string[] }[]): StripReply => {
  const lines = groups.flatMap(({ runs }, group) => runs.map((run, i) => ({ run, group, name: `sim-${group}-${i}` })))
  return {
    at: '2026-11-21T14:31:48.000Z',
    start: '2026-11-20T14:00:00.000Z',
    groups: groups.map(({ sims, runs }, i) => ({
      country: ['PL', 'DE', 'NL'][i]!,
      sims,
      off: runs.filter((run) => !/u\d+$/.test(run)).length,
      hidden: 0,
    })),
    lines: {
      asset_id: lines.map(({ name }) => `ast_${name}`),
      name: lines.map(({ name }) => name),
      iccid: lines.map(({ name }) => name),
      group: lines.map(({ group }) => group),
      runs: lines.map(({ run }) => run),
    },
    more: 0,
  }
}
const laidOut = (strip: StripReply, view = wholeView(strip)) => {
  const { at } = hoursOf(strip.lines.runs)
  return { view, at, layout: layOut(view, at, height) }
}
const countIn = (strip: StripReply) => laidOut(strip).layout.rows.reduce((sum, { lines, fold }) => sum + lines.length + fold, 0)

test('runs are read hour by hour', () => {
  const { at, count } = hoursOf(['u20s4r1', 'n3b22'])
  expect(count).toBe(2)
  expect([0, 19, 20, 23, 24].map((hour) => at(0, hour))).toEqual([states.u, states.u, states.s, states.s, states.r])
  expect([2, 3, 24].map((hour) => at(1, hour))).toEqual([states.n, states.b, states.b])
})

describe('a picture of any size', () => {
  test('of a few SIMs each has a line of its own, as usual or not', () => {
    const strip = stripOf({ sims: 3, runs: ['s25', 'u25', 'u25'] }, { sims: 2, runs: ['u25', 'u25'] })
    const { layout } = laidOut(strip)
    expect(layout.rows.map(({ lines, fold, height: high }) => [lines.length, fold, high])).toEqual(
      Array.from({ length: 5 }, () => [1, 0, 22])
    )
  })

  test.each([
    ['205', [52, 36, 29, 88], [4, 1, 3, 2]],
    ['20,096', [3118, 6204, 2960, 7814], [330, 16, 9, 21]],
    ['20,000 that are all off', [12_000, 8000], [12_000, 8000]],
    ['a million', [600_000, 399_999, 1], [20_000, 0, 0]],
  ])('%s SIMs: none is left out, and nothing stands below the foot', (_, sims, off) => {
    const strip = stripOf(...sims.map((count, i) => ({ sims: count, runs: Array.from({ length: off[i] ?? 0 }, () => 'u20r5') })))
    expect(countIn(strip)).toBe(sims.reduce((sum, count) => sum + count, 0))
    const { layout } = laidOut(strip)
    for (const { y, height: high } of layout.rows) expect(y + high).toBeLessThanOrEqual(height + 1)
    // One after the other: a pointer is over one row.
    for (const [i, row] of layout.rows.entries())
      if (i > 0) expect(row.y).toBeGreaterThanOrEqual(layout.rows[i - 1]!.y + layout.rows[i - 1]!.height)
  })

  test('what is not as usual has a line while there is room; only what is as usual is one band', () => {
    const strip = stripOf({ sims: 10_000, runs: ['s25', 'u24r1'] }, { sims: 10_000, runs: [] })
    expect(laidOut(strip).layout.rows.map(({ lines, fold }) => [lines.length, fold])).toEqual([
      [1, 0],
      [1, 0],
      [0, 9998],
      [0, 10_000],
    ])
  })
})

test('a row of several SIMs shows what most of them are', () => {
  const { at } = hoursOf(['s25', 's25', 'u25'])
  expect(stateOf({ group: 0, lines: [0, 1, 2], y: 0, height: 1, fold: 0 }, at, 3)).toBe(states.s)
})

test('a part that is chosen is shown alone, and its hours', () => {
  const strip = stripOf(
    { sims: 5000, runs: Array.from({ length: 400 }, (_, i) => (i < 200 ? 'u20r5' : 'u22s3')) },
    { sims: 5000, runs: [] }
  )
  const { view, layout } = laidOut(strip)
  const first = layout.rows[0]!
  const zoomed = zoomTo(view, layout, { t0: 18.4, t1: 24.2, y0: first.y, y1: first.y })
  expect(zoomed).toEqual({ t0: 18, t1: 25, groups: [{ group: 0, lines: first.lines, others: 0 }] })
  expect(simsIn(zoomed)).toBe(first.lines.length)
})

test('SIMs of a zoomed band that were off in other hours are found again with more hours', () => {
  const strip = stripOf({ sims: 4000, runs: ['s3u22', 'u22s3'] })
  const { at } = hoursOf(strip.lines.runs)
  const late = { ...wholeView(strip), t0: 15, t1: hours }
  const layout = layOut(late, at, height)
  const band = layout.rows.find(({ fold }) => fold > 0)!
  expect(band.fold).toBe(3999)
  const zoomed = zoomTo(late, layout, { t0: 15, t1: hours, y0: band.y + 1, y1: band.y + band.height - 1 })
  expect(simsIn(zoomed)).toBe(3999)
  expect(layOut({ ...zoomed, t0: 0 }, at, height).rows[0]!.lines).toEqual([0])
})

test('the row under a pointer, and the nearest between two groups', () => {
  const { layout } = laidOut(stripOf({ sims: 3, runs: ['s25', 'u25', 'u25'] }, { sims: 1, runs: ['u25'] }))
  expect(rowAt(layout, 0)).toBe(0)
  expect(rowAt(layout, 23)).toBe(1)
  expect(rowAt(layout, 263)).toBe(3)
})

test('SIMs that were not as usual and have no line are not painted as usual', () => {
  const strip = stripOf({ sims: 5000, runs: Array.from({ length: 400 }, () => 'u20r5') })
  const [group] = strip.groups
  const { layout } = laidOut({ ...strip, groups: [{ ...group!, hidden: 600 }], more: 600 })
  expect(layout.rows.at(-1)).toMatchObject({ fold: 4000 })
})
