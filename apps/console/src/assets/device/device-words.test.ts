import type { Device } from '@masthead/contract/devices/device'
import { expect, test } from 'vitest'
import { configResult, configSteps, interfacesOf, metricOf, wordsOf } from './device-words.ts'

const device = (monitoring: Record<string, unknown>) => ({ reported: { monitoring } }) as unknown as Device

test('interfaces come in the order in which the device uses them; what is no interface is left out', () => {
  const found = interfacesOf(
    device({
      active_interface: 'wwan0',
      ifs_status: { wlan0: [false, 'TYPE_W', 30], eth0: [true, 'TYPE_E', 20], wwan0: [true, 'TYPE_C', 10], odd: 'x' },
    })
  )
  expect(found.map(({ name, type, active }) => `${name} ${type} ${active}`)).toEqual([
    'wwan0 Cellular true',
    'eth0 Ethernet false',
    'wlan0 Wi-Fi false',
  ])
  expect(found.map(metricOf)).toEqual([100, 200, 10_000])
  expect(interfacesOf(device({}))).toEqual([])
})

test('values are said in words', () => {
  expect([true, null, ['a', 'b'], { TYPE_C: 10, eth0: 20 }, 7].map(wordsOf)).toEqual(['Yes', '—', 'a, b', 'Cellular 10, eth0 20', '7'])
})

test('a change is pending, sent, received, and applied once the device reports it', () => {
  const request = { id: '1', configs: {}, by: 'a@b.c', created_at: '', published_at: null, sent_at: null, received_at: null }
  const states = (state: 'created' | 'sent' | 'received' | 'acked', applied: boolean) =>
    configSteps({ ...request, state }, applied).map((step) => step.state)
  expect(states('created', false)).toEqual(['done', 'current', 'todo', 'todo'])
  expect(states('sent', false)).toEqual(['done', 'done', 'current', 'todo'])
  expect(states('acked', false)).toEqual(['done', 'done', 'done', 'current'])
  expect(states('acked', true)).toEqual(['done', 'done', 'done', 'done'])
})

test('a change is applied by what the device reports of it, and what it does not report is named', () => {
  const wanted = { apn: 'iot.example', ping_timeout: 5 }
  expect(configResult(wanted, {})).toEqual({ applied: false, silent: ['apn', 'ping_timeout'] })
  expect(configResult(wanted, { apn: 'iot.example' })).toEqual({ applied: true, silent: ['ping_timeout'] })
  expect(configResult(wanted, { apn: 'super' })).toEqual({ applied: false, silent: ['ping_timeout'] })
  expect(configResult(wanted, { apn: 'iot.example', ping_timeout: 9 })).toEqual({ applied: false, silent: [] })
  expect(configResult(wanted, { ...wanted, debug_mode: true })).toEqual({ applied: true, silent: [] })
})
