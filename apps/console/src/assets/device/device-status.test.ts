import type { Application } from '@masthead/contract/devices/agent/application'
import type { Agent } from '@masthead/contract/devices/agent/update'
import type { Device } from '@masthead/contract/devices/device'
import { expect, test } from 'vitest'
import { deviceStatus } from './device-status.ts'

const now = Date.parse('2026-11-27T10:00:00Z')
const at = '2026-11-27T09:00:00Z'
const device = (more: object = {}) =>
  ({
    kind: 'agent',
    presence: 'online',
    cut_at: null,
    reported: {},
    reported_at: at,
    configs: [],
    maintenance: null,
    ...more,
  }) as unknown as Device
const application = (more: object = {}, items: object[] = []) =>
  ({ device: { revision: 3, reported_revision: 3, engine_words: null, ...more }, items, leaving: [] }) as unknown as Application
const agent = (update: object | null = null) => ({ version: '0.1.0', offered: '0.2.0', newer: true, update }) as unknown as Agent
const crashing = { run: 'running', generation: 1, reported: { generation: 1, state: 'exited', problem: { code: 'crash_loop_backoff' } } }
const on = { status: 'active' as const }

const said = (known: Partial<Parameters<typeof deviceStatus>[0]>) => {
  const { label, steps } = deviceStatus({ asset: on, device: device(), application: application(), agent: agent(), now, ...known })
  return [label, steps.map(({ state }) => state).join(' ')]
}

test('what breaks first of a device with our agent is what it is called', () => {
  expect(said({})).toEqual(['Operational', 'done done done done done done'])
  const offline = { presence: 'offline' }
  const update = { version: '0.2.0', state: 'downloading', percent: 40, words: null }
  const all = { device: device(offline), application: application({ revision: 4 }, [crashing]), agent: agent(update) }
  // Of one that is not there nothing goes on: what waits for it is to come.
  expect(said(all)).toEqual(['Disconnected', 'done done todo failed todo failed'])
  expect(said({ ...all, asset: { status: 'inactive' } })[0]).toBe('Inactive')
  expect(said({ ...all, device: device({ ...offline, cut_at: at }) })[0]).toBe('Cut off by staff')
  expect(said({ ...all, device: device() })).toEqual(['Configuring', 'done done current done current failed'])
  expect(said({ ...all, device: device(), application: application({}, [crashing]) })).toEqual([
    'Updating',
    'done done done done current failed',
  ])
  expect(said({ application: application({}, [crashing]) })[0]).toBe('Reduced functionality')
  expect(said({ application: application({ engine_words: 'no' }) })[0]).toBe('Reduced functionality')
  expect(said({ device: device({ reported: { vitals: { undervolted: true } } }) })[0]).toBe('Reduced functionality')
  expect(said({ agent: agent({ ...update, state: 'gone_back' }) })[0]).toBe('Update failed')
  expect(said({ device: device({ reported_at: null }) })[0]).toBe('Waits for its first report')
  expect(deviceStatus({ asset: on, device: device(), application: application(), agent: agent(update), now }).steps[4]!.about).toBe(
    'version 0.2.0 comes, 40 %'
  )
})

test('what is not known yet is neither right nor wrong', () => {
  expect(said({ application: undefined, agent: undefined })).toEqual(['Operational', 'done done todo done done todo'])
})

test('of a CORE device changes, maintenance and the connection count', () => {
  const core = (more: object = {}) => said({ device: device({ kind: 'core', ...more }), application: undefined, agent: undefined })
  const monitoring = (cellular_connection: boolean) => ({ reported: { monitoring: { cellular_connection } } })
  expect(core(monitoring(true))).toEqual(['Operational', 'done done done done done done'])
  expect(core(monitoring(false))[0]).toBe('Reduced functionality')
  const change = (state: string) => ({ configs: [{ state, configs: { apn: 'a' }, published_at: at }] })
  expect(core({ ...monitoring(true), ...change('sent') })[0]).toBe('Configuring')
  for (const state of ['withdrawn', 'received', 'acked'])
    expect(core({ ...monitoring(true), ...change(state) })[0], state).toBe('Operational')
  const maintenance = (status_at: string) => ({
    maintenance: { services: ['agent'], versions: {}, requested_at: at, status: 'restart_agent', status_at },
  })
  expect(core({ ...monitoring(true), ...maintenance('2026-11-27T09:59:00Z') })[0]).toBe('Updating')
  expect(core({ ...monitoring(true), ...maintenance(at) })[0]).toBe('Update failed')
})
