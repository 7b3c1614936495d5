import type { Device } from '@masthead/contract/devices/device'
import { expect, test } from 'vitest'
import { cellOf, connectionSteps } from './core-connection.ts'

const device = (reported: object) => ({ reported }) as unknown as Device
const said = (reported: object) => connectionSteps(device(reported)).map(({ id, state, about }) => `${id} ${state}: ${String(about)}`)

test('the way to the internet is whole as far as the device says, and claims nothing else', () => {
  expect(
    said({
      system: { modem_name: 'EC25', iccid: '8931082017004431204' },
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
    'apn done: super',
    'sim done: 8931…1204',
    'network done: KPN, LTE',
    'line done: wwan0',
    'internet done: over cellular',
  ])
  const nothing = 'the device has not said'
  const unknown = { system: { modem_name: 'Unknown', iccid: '' }, monitoring: { roaming_operator: null, active_lte_tech: 'unknown' } }
  for (const reported of [{}, unknown])
    expect(said(reported)).toEqual(['modem', 'apn', 'sim', 'network', 'line', 'internet'].map((id) => `${id} todo: ${nothing}`))
  expect(said({ monitoring: { cellular_connection: false } }).at(-1)).toBe('internet failed: not over cellular')
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
