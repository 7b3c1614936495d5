import { expect, test } from 'vitest'
import type { DesiredContainer } from '@masthead/contract/devices/agent/container'
import type { Inspected } from '../engine/engine.ts'
import { verdictOf } from './trial.ts'
import { watchRuns } from './watch-runs.ts'

const health = { command: 'true', every_s: 10, retries: 2, start_s: 30 }
const up = { is_up: true, fails: null }
const open = { is_up: false, fails: null }

const verdict = (
  state: Partial<Inspected['State']>,
  {
    ran = 5,
    restarts = 0,
    ...wanted
  }: { ran?: number; restarts?: number } & Partial<Pick<DesiredContainer, 'health' | 'restart_policy'>> = {}
) => {
  const one = { State: { Status: 'running', ExitCode: 0, StartedAt: '2026-11-25T10:10:00Z', ...state }, RestartCount: restarts }
  return verdictOf(one, { health: null, restart_policy: 'always', ...wanted }, ran * 1000)
}

test('a container is up when it has run for 20 s, or its health test says so', () => {
  expect(verdict({})).toEqual(open)
  expect(verdict({}, { ran: 20 })).toEqual(up)
  expect(verdict({}, { ran: 20, restarts: 2 })).toEqual(up)
  expect(verdict({ Health: { Status: 'starting' } }, { ran: 60, health })).toEqual(open)
  expect(verdict({ Health: { Status: 'healthy' } }, { health })).toEqual(up)
  // An engine without timers never tests.
  expect(verdict({ Health: { Status: '' } }, { ran: 89, health })).toEqual(open)
  expect(verdict({ Health: { Status: '' } }, { ran: 90, health })).toEqual(up)
})

test('one that ends, ends again and again, or is unhealthy does not come up', () => {
  const fails = (words: string) => ({ is_up: false, fails: words })
  expect(verdict({ Health: { Status: 'unhealthy' } }, { ran: 600, health })).toEqual(fails('Its health test fails'))
  expect(verdict({ Status: 'exited', ExitCode: 3 })).toEqual(fails('It ended with exit code 3'))
  expect(verdict({ Status: 'exited' })).toEqual(fails('It ended with exit code 0'))
  expect(verdict({ Status: 'exited' }, { restart_policy: 'no' })).toEqual(up)
  expect(verdict({ Status: 'exited', ExitCode: 1 }, { restart_policy: 'no' })).toEqual(fails('It ended with exit code 1'))
  expect(verdict({ Status: 'restarting', ExitCode: 137, OOMKilled: true }, { restarts: 3 })).toEqual(
    fails('It ended with exit code 137, out of memory; 3 restarts')
  )
  expect(verdict({ Status: 'restarting', ExitCode: 1 }, { restarts: 2 })).toEqual(open)
})

test('how long a container has run is counted from when it was seen, whatever its engine says, and begins anew with each start', () => {
  let now = 50_000
  const runs = watchRuns(() => now)
  const one = (StartedAt: string, Status = 'running') => [{ Id: 'one', State: { Status, ExitCode: 0, StartedAt } }]
  // Started while the clock of the device stood at its beginning; by now it is right.
  runs.see(one('1970-01-01T00:00:09Z'))
  expect(runs.ranFor('one')).toBe(0)
  now += 20_000
  runs.see(one('1970-01-01T00:00:09Z'))
  expect(runs.ranFor('one')).toBe(20_000)
  runs.see(one('2026-11-27T00:00:00Z'))
  expect(runs.ranFor('one')).toBe(0)
  now += 5000
  runs.see(one('2026-11-27T00:00:00Z', 'exited'))
  expect(runs.ranFor('one')).toBe(0)
  runs.see(one('2026-11-27T00:00:00Z'))
  now += 1000
  runs.see([])
  expect(runs.ranFor('one')).toBe(0)
})
