import type { Device } from '@masthead/contract/devices/device'
import { expect, test } from 'vitest'
import { cellOf, connectionSteps, repairSteps } from './core-connection.ts'

const device = (reported: object) => ({ reported }) as unknown as Device
const said = (reported: object) => connectionSteps(device(reported)).map(({ id, state, about }) => `${id} ${state}: ${String(about)}`)

test('the way to the internet is whole as far as the device says, and claims nothing else', () => {
  expect(
    said({
      system: { modem_name: 'EC25', sw_version: 'EC25GGBR07', iccid: '8931082017004431204' },
      monitoring: {
        cellular_connection: true,
        selected_apn: 'super',
        roaming_operator: 'KPN',
        active_lte_tech: 'E-UTRAN',
        ifs_status: { wwan0: [true, 'TYPE_C', 10], eth0: [true, 'TYPE_E', 30] },
      },
    })
  ).toEqual([
    'modem done: EC25',
    'identity done: EC25GGBR07',
    'apn done: super',
    'sim done: 8931…1204',
    'network done: KPN, LTE',
    'line done: wwan0',
    'internet done: over cellular',
  ])
  const nothing = 'the device has not said'
  const unknown = { system: { modem_name: 'Unknown', iccid: '' }, monitoring: { roaming_operator: null, active_lte_tech: 'unknown' } }
  for (const reported of [{}, unknown])
    expect(said(reported)).toEqual(
      ['modem', 'identity', 'apn', 'sim', 'network', 'line', 'internet'].map((id) => `${id} unknown: ${nothing}`)
    )
  expect(said({ monitoring: { cellular_connection: false } }).at(-1)).toBe('internet failed: not over cellular')
})

test('of its repairs a device says no more than that there is a fault, how many it solved, and what it diagnosed', () => {
  const repair = (reported: object) => {
    const { about, steps } = repairSteps(device(reported))
    const [diagnose, ...others] = steps.map(({ state, about: found }) => (found ? `${state}: ${String(found)}` : state))
    return [about, diagnose, ...new Set(others)]
  }
  const monitoring = (cellular_connection: boolean, fixed_incident: number) => ({ monitoring: { cellular_connection, fixed_incident } })
  expect(repair({})).toEqual(['The device has said nothing of faults.', 'unknown', 'unknown'])
  expect(repair(monitoring(true, 0))).toEqual(['There was no fault to solve.', 'unreached', 'unreached'])
  const one = 'It solved 1 fault. Of the last one it does not say which measure helped.'
  expect(repair(monitoring(true, 1))).toEqual([one, 'unknown', 'unknown'])
  const open = 'A fault is open, after 1 fault that it solved. It does not say which measure it is at.'
  expect(repair(monitoring(false, 1))).toEqual([open, 'unknown', 'unknown'])
  // Modem, mode, SIM, USB driver and USB are as they should be.
  const found = 'done: another APN is set, no network, no data line, the interface has no route'
  const diagnostic = { diagnostic: 0b1_0100_1101, incident_id: 2 }
  expect(repair({ ...monitoring(false, 1), diagnostic })).toEqual([open, found, 'unknown'])
  expect(repair({ ...monitoring(true, 2), diagnostic })[1]).toBe(found)
  // What it found at another fault says nothing of this one.
  for (const of of [monitoring(false, 2), monitoring(true, 1)]) expect(repair({ ...of, diagnostic })[1]).toBe('unknown')
  expect(repair({ ...monitoring(false, 1), diagnostic: { diagnostic: 0b1_1111_1111, incident_id: 2 } })[1]).toBe(
    'done: all is as it should be'
  )
})

test('the cell is what the device said of it', () => {
  expect(cellOf(device({ geolocation: { radio_type: 'lte', mcc: 240, mnc: 1, tac: 2104, cid: 52_190, psc: null } }))).toEqual({
    technology: 'LTE',
    network: '240-01',
    country: 'Sweden',
    parts: [
      ['TAC', 2104],
      ['CID', 52_190],
    ],
  })
  expect(cellOf(device({ geolocation: { radio_type: 'odd', mcc: 901, mnc: 40 } }))).toEqual({
    technology: '—',
    network: '901-40',
    country: null,
    parts: [],
  })
  for (const geolocation of [undefined, {}, { mcc: '240', mnc: 1 }]) expect(cellOf(device({ geolocation }))).toBeNull()
})
