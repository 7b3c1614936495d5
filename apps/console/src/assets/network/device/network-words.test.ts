import type { NetworkChange } from '@masthead/contract/devices/network/reported'
import { networkState, type Network } from '@masthead/contract/devices/network/view'
import { expect, test } from 'vitest'
import { interfaceState, moved, orderOf, pinWords } from './network-words.ts'

const at = '2026-11-26T05:00:00.000Z'
const wanted: NonNullable<Network['wanted']> = {
  generation: 7,
  priority: ['wlan0', 'wwan0'],
  apn: null,
  pin_generation: 7,
  wifi: [],
  profile: null,
  esim_job: null,
  changed_at: at,
  changed_by: 'owner',
  sent_at: null,
}
const modem = {
  manufacturer: null,
  model: null,
  firmware: null,
  imei: null,
  state: null,
  operator: null,
  operator_code: null,
  technology: null,
}
const reported = (parts: Partial<NonNullable<Network['reported']>>): NonNullable<Network['reported']> => ({
  at,
  words: null,
  manager: null,
  modem_words: null,
  interfaces: [],
  apn: null,
  modem: { ...modem, signal_pct: null, lock: null, pin_tries: 3 },
  wifi: null,
  esim: null,
  change: null,
  pin: null,
  ...parts,
})
const change = (generation: number, state: NetworkChange['state']) =>
  reported({ change: { generation, state, words: null, began_at: at, until: at, ended_at: at } })

test('nothing is claimed that the device did not say of this very wish', () => {
  expect(networkState({ wanted: null, reported: change(7, 'kept') })).toBe('none')
  expect(networkState({ wanted, reported: null })).toBe('pending')
  expect(networkState({ wanted, reported: change(6, 'kept') })).toBe('pending')
  expect(networkState({ wanted: { ...wanted, sent_at: at }, reported: change(6, 'undone') })).toBe('sent')
  for (const [said, shown] of [
    ['applying', 'applying'],
    ['trial', 'trial'],
    ['kept', 'applied'],
    ['undone', 'undone'],
    ['failed', 'failed'],
  ] as const)
    expect(networkState({ wanted, reported: change(7, said) })).toBe(shown)
})

test('a list keeps its items when one is moved, and what is wanted comes before what is there', () => {
  expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 'c', -5)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 'a', 9)).toEqual(['b', 'c', 'a'])
  expect(orderOf(['wlan0', 'gone0'], [{ name: 'eth0' }, { name: 'wlan0' }])).toEqual(['wlan0', 'gone0', 'eth0'])
  expect(interfaceState(undefined, false).label).toBe('Not there now')
})

test('a PIN is right only when the SIM was unlocked with that one', () => {
  const pin = (generation: number, state: 'not_asked' | 'unlocked' | 'refused') => reported({ pin: { generation, state, words: null, at } })
  expect(pinWords({ wanted, reported: pin(7, 'unlocked') }).label).toBe('Unlocked with this PIN')
  expect(pinWords({ wanted, reported: pin(6, 'unlocked') }).label).toBe('Not locked')
  expect(pinWords({ wanted, reported: pin(7, 'not_asked') }).note).toContain('nobody knows')
  expect(pinWords({ wanted, reported: pin(7, 'refused') })).toMatchObject({ status: 'failed', note: '3 tries are left' })
})
