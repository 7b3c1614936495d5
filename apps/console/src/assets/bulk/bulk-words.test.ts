import { expect, test } from 'vitest'
import { doneWords, linesOf } from './bulk-words.ts'

test('an outcome is shown line by line, before and after', () => {
  const outcome = { changed: 1204, still_blocked: 2, left: [{ reason: 'already' as const, count: 40 }] }
  const told = (done: boolean) => linesOf('activate_sim', outcome, done).map(({ words, count }) => `${words} ${count}`)
  expect(told(false)).toEqual(['Will be activated 1204', 'Of these, still blocked 2', 'Already active 40'])
  expect(told(true)[0]).toBe('Activated 1204')
  expect(linesOf('remove_tags', { changed: 1, still_blocked: 0, left: outcome.left }, true).map(({ words }) => words)).toEqual([
    'Tag removed',
    'Do not have these tags',
  ])
})

test('what assets that leave mean for pools, limits and credits stands below how many do', () => {
  const leaving = { sims: 2, in_pools: 1, own_limits: 0, fees_charged: 2 }
  const left = [{ reason: 'in_session' as const, count: 1 }]
  const lines = linesOf('release', { changed: 3, still_blocked: 0, left, leaving }, false)
  expect(lines.map(({ words, count }) => `${words} ${count}`)).toEqual([
    'Will leave your account 3',
    'SIMs in them 2',
    'SIMs that leave a data pool 1',
    'SIMs whose fee for this month is charged and stays so 2',
    'Open session: deactivate it first 1',
  ])
})

test('what was done has its count and its noun', () => {
  expect(doneWords('deactivate_sim', 1)).toBe('Deactivated 1 SIM')
  expect(doneWords('add_tags', 1204)).toBe('Tagged 1,204 assets')
  expect(doneWords('standby_sim', 2)).toBe('Put on standby: 2 SIMs')
  expect(doneWords('configure_core', 2)).toBe('Changed the configuration of 2 assets')
  expect(doneWords('remove_tags', 2)).toBe('Removed tags from 2 assets')
})
