import { expect, test } from 'vitest'
import { desiredService, hasService, type Asking, type Intent } from './service.ts'
import type { BlockCode, SimState } from './sim.ts'

const held = (...codes: BlockCode[]) => codes.map((code) => ({ code, words: `${code} in words` }))

test.each<[what: string, intent: Intent, reasons: string[]]>([
  ['active', { state: 'active', blocks: [] }, []],
  ['ready', { state: 'ready', blocks: [] }, []],
  ['standby', { state: 'standby', blocks: [] }, []],
  ['inventory', { state: 'inventory', blocks: [] }, ['state: Inventory']],
  ['inactive', { state: 'inactive', blocks: [] }, ['state: Inactive']],
  ['terminated', { state: 'terminated', blocks: [] }, ['state: Terminated']],
  ['at its limit', { state: 'active', blocks: held('data_limit') }, ['data_limit: data_limit in words']],
  [
    'held in the order of the chain',
    { state: 'active', blocks: held('data_limit', 'staff', 'account_suspended') },
    ['account_suspended: account_suspended in words', 'staff: staff in words', 'data_limit: data_limit in words'],
  ],
  [
    'inactive and held twice',
    { state: 'inactive', blocks: held('staff', 'data_limit') },
    ['state: Inactive', 'staff: staff in words', 'data_limit: data_limit in words'],
  ],
  ['undecided', { state: 'active', blocks: [], asset_off: null, account_suspended: null }, []],
  ['of an asset that is off', { state: 'active', blocks: [], asset_off: 'Off', account_suspended: null }, ['asset_off: Off']],
  ['of a suspended account', { state: 'ready', blocks: [], account_suspended: 'Unpaid' }, ['account_suspended: Unpaid']],
  [
    'of both, one of them in its row already',
    { state: 'active', blocks: held('account_suspended'), asset_off: 'Off', account_suspended: 'Unpaid' },
    ['asset_off: Off', 'account_suspended: account_suspended in words'],
  ],
])('a SIM that is %s', (_, intent, reasons) => {
  const desired = desiredService(intent)
  expect(desired.reasons.map(({ code, words }) => `${code}: ${words}`)).toEqual(reasons)
  expect([desired.service, hasService(intent)]).toEqual([reasons.length === 0, reasons.length === 0])
})

test('the device that asks decides in place of the block of another one', () => {
  const sim: Intent = { state: 'active', blocks: held('imei_mismatch') }
  const rule = { imei_lock: 'lock' as const, imeis: ['490154203237518'] }
  const codes = (imei: string, rules: Omit<Asking, 'imei'> = rule, of = sim) =>
    desiredService(of, { ...rules, imei }).reasons.map(({ code }) => code)
  expect(codes('490154203237518')).toEqual([])
  expect(codes('356938035643809')).toEqual(['imei_mismatch'])
  expect(codes('356938035643809', rule, { state: 'active', blocks: [] })).toEqual(['imei_mismatch'])
  expect(codes('356938035643809', { ...rule, imeis: [] })).toEqual([])
  expect(codes('356938035643809', { ...rule, imei_lock: 'watch' })).toEqual([])
  expect(desiredService(sim).service).toBe(false)
})

test('any reason takes the service, whatever others there are', () => {
  const states: SimState[] = ['inventory', 'ready', 'active', 'inactive', 'standby', 'terminated']
  const served = states.flatMap((state) =>
    [[], held('staff')].flatMap((blocks) =>
      [null, 'Off'].flatMap((asset_off) =>
        [null, 'Unpaid'].filter((account_suspended) => hasService({ state, blocks, asset_off, account_suspended })).map(() => state)
      )
    )
  )
  expect(served).toEqual(['ready', 'active', 'standby'])
})
