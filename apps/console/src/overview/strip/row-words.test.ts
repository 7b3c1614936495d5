import { expect, test } from 'vitest'
import { clockAt, spokenOf, wordsOf } from './row-words.ts'
import { hoursOf, type StripReply } from './strip-lines.ts'

const strip: StripReply = {
  at: '2026-11-21T14:31:48.000Z',
  start: '2026-11-20T14:00:00.000Z',
  groups: [{ country: 'NL', sims: 40, off: 2, hidden: 0 }],
  lines: { asset_id: ['ast_1', 'ast_2'], name: ['truck', 'van'], iccid: ['1', '2'], group: [0, 0], runs: ['u20r5', 'u20r5'] },
  more: 0,
}
const { at } = hoursOf(strip.lines.runs)
const clock = (hour: number) => clockAt(strip.start!, hour)
const spoken = (lines: number[], hour: number, fold = 0) =>
  spokenOf(strip, wordsOf(strip, { group: 0, lines, fold, y: 0, height: 10 }, at, hour), hour)

test('each step in the strip says the state and the hour, of a SIM and of those that share a line', () => {
  expect(spoken([0], 22)).toBe(
    `truck: refused at ${clock(22)}. Netherlands, from ${clock(20)} until now. It was not let onto the network, and sent nothing. Press to open it.`
  )
  expect(spoken([0, 1], 24)).toBe(
    `2 SIMs share this line: refused now. Netherlands, from ${clock(20)} until now. They are alike in these hours, or nearly. Press to see each of them.`
  )
  expect(spoken([0, 1], 3)).toContain(`2 SIMs share this line: as usual at ${clock(3)}.`)
  expect(spoken([], 24, 38)).toBe('38 SIMs: as usual now. Netherlands. As usual in all the hours shown. Press to see the active SIMs.')
})
