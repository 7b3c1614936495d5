import { expect, test } from 'vitest'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { activateSim, deactivateSim } from '@masthead/contract/assets/operations'
import { openHouse } from '@masthead/testkit/house'
import { keepConnectionEvents, prepareMetering } from '../../metering/index.ts'
import { addAsset, addSession } from '../test-stock.ts'
import { spansOf, type Moment } from './service-spans.ts'

const active = { state: 'active' as const, blocks: [], state_changed_at: 10, state_changed_by: 'ada' }
const own: Moment = { at: 10, is: 'state', state: 'active', by: 'ada' }
const told = (moments: Moment[], now: Parameters<typeof spansOf>[1] = active, from = 20, until = 100) =>
  spansOf(moments, now, from, until).map(({ from: start, state, blocks }) => [
    Date.parse(start),
    state,
    ...blocks.map(({ code, since, unsure }) => `${code}${since === null ? ' from before' : ''}${unsure ? ' unsure' : ''}`),
  ])

test('blocks come and go, each with its own time', () => {
  const moments: Moment[] = [
    own,
    { at: 30, is: 'on', code: 'data_limit', words: 'used up' },
    { at: 40, is: 'on', code: 'staff', words: null },
    { at: 50, is: 'off', code: 'data_limit' },
    { at: 60, is: 'off', code: 'staff' },
  ]
  expect(told(moments)).toEqual([
    [20, 'active'],
    [30, 'active', 'data_limit'],
    [40, 'active', 'staff', 'data_limit'],
    [50, 'active', 'staff'],
    [60, 'active'],
  ])
})

test('what was lifted without having been put on stood before, and what nobody lifted is not claimed to hold', () => {
  expect(told([own, { at: 40, is: 'off', code: 'staff' }])).toEqual([
    [20, 'active', 'staff from before'],
    [40, 'active'],
  ])
  expect(told([own, { at: 40, is: 'on', code: 'staff', words: null }])).toEqual([
    [20, 'active'],
    [40, 'active', 'staff unsure'],
  ])
})

test('a block that is taken over has the words of each time, and stands since it was put on', () => {
  const words = (moments: Moment[]) =>
    spansOf(moments, active, 20, 100).map(({ from, blocks }) => [Date.parse(from), ...blocks.map((block) => [block.since, block.words])])
  const over: Moment = { at: 50, is: 'taken_over', code: 'rule', words: 'Long', old_words: 'Heavy' }
  const since = new Date(30).toISOString()
  expect(words([own, { at: 30, is: 'on', code: 'rule', words: 'Heavy' }, over, { at: 70, is: 'off', code: 'rule' }])).toEqual([
    [20],
    [30, [since, 'Heavy']],
    [50, [since, 'Long']],
    [70],
  ])
  expect(words([own, over, { at: 70, is: 'off', code: 'rule' }])).toEqual([[20, [null, 'Heavy']], [50, [null, 'Long']], [70]])
})

test('how it stands now is certain: before what is recorded of it, nothing is claimed', () => {
  const block = { code: 'staff' as const, since: new Date(70).toISOString(), by: 'staff', words: 'held', clears: '' }
  const now = { state: 'inactive' as const, blocks: [block], state_changed_at: 50, state_changed_by: null }
  expect(told([], now)).toEqual([
    [20, null],
    [50, 'inactive'],
    [70, 'inactive', 'staff'],
  ])
  expect(told([], { ...now, blocks: [], state_changed_at: null })).toEqual([[20, 'inactive']])
})

test('an asset shows its SIM since it was registered, with sessions and refusals', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  await prepareMetering(house.app)
  const asset = await addAsset(house, ada, { name: 'buoy' })
  const params = { asset_id: asset.id }
  house.clock.advance({ minutes: 1 })
  await ada.call(activateSim, { params })
  house.clock.advance({ minutes: 1 })
  await ada.call(deactivateSim, { params })
  const now = house.clock.now()
  await addSession(house, asset, ada.account_id, { started_at: new Date(now.getTime() - 60_000), ended_at: now, mccmnc: '262-01' })
  const refused = { kind: 'rejected' as const, key: 'x', at: now.getTime(), words: 'The SIM is inactive', mccmnc: null, rat: null }
  const rest = { gateway: null, before: null, after: null, account_id: ada.account_id, sim_id: asset.sim!.id, asset_id: asset.id }
  await house.app.db.transaction().execute((tx) => keepConnectionEvents(tx, [{ ...refused, ...rest }]))
  house.clock.advance({ minutes: 1 })
  const { body } = await ada.call(getServiceHistory, { params })
  expect(body).toMatchObject({ begins: 'registered', until: house.clock.now().toISOString() })
  expect(body.spans.map(({ state, state_by }) => [state, state_by])).toEqual([
    ['ready', ada.email],
    ['active', ada.email],
    ['inactive', ada.email],
  ])
  expect(body.sessions).toMatchObject([{ network: { mccmnc: '262-01' } }])
  expect(body.refusals).toMatchObject([{ count: 1, words: 'The SIM is inactive' }])
  expect(body.refused).toMatchObject({ by: 'held', count: 1 })
})
