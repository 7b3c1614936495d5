import { expect, test } from 'vitest'
import type { DesiredContainer } from '@masthead/contract/devices/agent/container'
import type { Inspected } from '../engine/engine.ts'
import { verdictOf } from './trial.ts'

const now = new Date('2026-11-25T10:10:00.000Z')
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
  const StartedAt = new Date(now.getTime() - ran * 1000).toISOString()
  const one = { State: { Status: 'running', ExitCode: 0, StartedAt, ...state }, RestartCount: restarts }
  return verdictOf(one, { health: null, restart_policy: 'always', ...wanted }, now)
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
