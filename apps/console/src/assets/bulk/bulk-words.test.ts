import type { BulkChange } from '@masthead/contract/assets/bulk/bulk'
import { expect, test } from 'vitest'
import { doneWords, linesOf, progressWords, wordsOf } from './bulk-words.ts'

test('an outcome is shown line by line, before and after', () => {
  const outcome = { changed: 1204, still_blocked: 2, left: [{ reason: 'already' as const, count: 40 }] }
  const told = (done: boolean) => linesOf({ action: 'activate_sim' }, outcome, done).map(({ words, count }) => `${words} ${count}`)
  expect(told(false)).toEqual(['Will be activated 1204', 'Of these, still blocked 2', 'Already active 40'])
  expect(told(true)[0]).toBe('Activated 1204')
  expect(linesOf({ action: 'remove_tags' }, { changed: 1, still_blocked: 0, left: outcome.left }, true).map(({ words }) => words)).toEqual([
    'Tag removed',
    'Do not have these tags',
  ])
})

test('what assets that leave mean for pools, limits and credits stands below how many do', () => {
  const leaving = { sims: 2, in_pools: 1, own_limits: 0, fees_charged: 2 }
  const left = [{ reason: 'in_session' as const, count: 1 }]
  const lines = linesOf({ action: 'release' }, { changed: 3, still_blocked: 0, left, leaving }, false)
  expect(lines.map(({ words, count }) => `${words} ${count}`)).toEqual([
    'Will leave your account 3',
    'SIMs in them 2',
    'SIMs that leave a data pool 1',
    'SIMs whose fee for this month is charged and stays so 2',
    'Open session: deactivate it first 1',
  ])
})

test('whom another group cuts and blocks at once stands below how many move', () => {
  const outcome = { changed: 30, still_blocked: 0, left: [], held: { cut: 4, blocked: 2, freed: 0, wrong_device: 1, device_freed: 0 } }
  expect(linesOf({ action: 'set_network_group' }, outcome, false).map(({ words, count }) => `${words} ${count}`)).toEqual([
    'Will be moved 30',
    'Of these, cut: the group does not allow their network 4',
    'Of these, blocked at once: they have reached the limit 2',
    'Of these, blocked at once: in a device that is not accepted 1',
  ])
})

test('SIMs that a lock accepts in the device that they are blocked for stand below how many get it', () => {
  const outcome = { changed: 30, still_blocked: 0, left: [], held: { cut: 0, blocked: 0, freed: 0, wrong_device: 1, device_freed: 4 } }
  expect(linesOf({ action: 'imei_lock' }, outcome, false).map(({ words, count }) => `${words} ${count}`)).toEqual([
    'Will have this lock 30',
    'Of these, blocked at once: in a device that is not accepted 1',
    'Of these, no longer blocked: their device is accepted from now on 4',
  ])
})

test('what was done has its count and its noun', () => {
  expect(doneWords({ action: 'deactivate_sim' }, 1)).toBe('Deactivated 1 SIM')
  expect(doneWords({ action: 'add_tags' }, 1204)).toBe('Tagged 1,204 assets')
  expect(doneWords({ action: 'standby_sim' }, 2)).toBe('Put on standby: 2 SIMs')
  expect(doneWords({ action: 'configure_core' }, 2)).toBe('Configuration changed: 2 assets')
  expect(doneWords({ action: 'remove_tags' }, 2)).toBe('Removed tags from 2 assets')
})

test('assets that went back to stock were not handed over', () => {
  const back = { action: 'release', to: null } as const
  const over = { action: 'release', to: 'bob@example.com' } as const
  expect([doneWords(back, 2), doneWords(over, 1)]).toEqual(['Back in stock: 2 assets', 'Handed over 1 asset'])
  expect([wordsOf(back).doing, wordsOf(over).doing]).toEqual(['Giving assets back to stock', 'Handing over assets'])
  const [line] = linesOf(back, { changed: 2, still_blocked: 0, left: [] }, true)
  expect(line!.words).toBe('Back in stock')
})

test('a change in a list says how far it is, and then what it was done with and how many it left', () => {
  const change = { finished_at: null, done: 1500, total: 20_000, tags: [], network_group: null, left: [] } as never as BulkChange
  expect(progressWords(change)).toBe('1,500 of 20,000')
  const ended = { ...change, finished_at: '2026-11-28T09:00:00Z', left: [{ reason: 'gone' as const, count: 1 }] }
  expect(progressWords(ended)).toBe('1 stayed as it was')
  const tags = [{ id: 'tag_1', name: 'north' }]
  expect(progressWords({ ...ended, tags, left: [...ended.left, { reason: 'already', count: 3 }] })).toBe('north; 4 stayed as they were')
  expect(progressWords({ ...change, finished_at: '2026-11-28T09:00:00Z', to: 'bob@example.com' })).toBe('bob@example.com')
})
