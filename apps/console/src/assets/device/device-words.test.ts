import type { Device } from '@masthead/contract/devices/device'
import type { Maintenance } from '@masthead/contract/devices/maintenance'
import { expect, test } from 'vitest'
import { configNamesOf, configResult, configSteps, configValue, interfacesOf, maintenanceSteps, metricOf, wordsOf } from './device-words.ts'

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

test('a configuration is said in words, and a key that nobody knows as it is', () => {
  expect(configNamesOf(['apn', 'ping_timeout', 'odd_key'])).toBe('APN, Wait for an answer over cellular, odd_key')
  const values = { check_internet_interval: 60, debug_mode: false, network_priority: { TYPE_C: 10 }, odd_key: 7, ping_timeout: undefined }
  expect(Object.entries(values).map(([key, value]) => configValue(key, value))).toEqual(['60 s', 'No', 'Cellular 10', '7', '—'])
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

test('an update is as far as the device says, and stands where it said nothing more', () => {
  const asked = { services: ['agent' as const], beta: false, by: 'a@b.c', requested_at: '', versions: { agent: '1.8.3' }, status_at: null }
  const steps = (status: Maintenance['status'], state: Parameters<typeof maintenanceSteps>[1]) =>
    maintenanceSteps({ ...asked, status }, state)
  const states = (...of: Parameters<typeof steps>) => steps(...of).map((step) => step.state)
  expect(states(null, 'waiting')).toEqual(['current', 'todo', 'todo', 'todo'])
  expect(states(null, 'unanswered')).toEqual(['failed', 'todo', 'todo', 'todo'])
  expect(states('download_agent', 'downloading')).toEqual(['done', 'current', 'todo', 'todo'])
  expect(states('unknown', 'unclear')).toEqual(['done', 'current', 'todo', 'todo'])
  expect(states('restart_agent', 'stalled')).toEqual(['done', 'done', 'failed', 'todo'])
  expect(states('restart_agent', 'done')).toEqual(['done', 'done', 'done', 'done'])
  expect(steps('download_agent', 'downloading').map(({ about }) => about)).toEqual(['a@b.c', 'agent', undefined, 'agent was 1.8.3'])
})
