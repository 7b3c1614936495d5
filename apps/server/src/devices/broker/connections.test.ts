import type { Client } from 'aedes'
import { expect, test } from 'vitest'
import { Connections, subscriptionTo } from './connections.ts'

const login = { account_id: 'acc_1', device_id: 'dev_1', kind: 'core' as const, secrets: 's' }
const client = (closed = false) => ({ closed }) as Client & { closed: boolean }

test('a connection that goes on is known after another of its device ended before it was let in, and so can be cut', () => {
  const connections = new Connections()
  const [one, other] = [client(), client()]
  const add = (of: Client) => connections.add(of, login, 'token', { ip: null, will: undefined })
  const first = add(one)
  const second = add(other)
  expect(connections.byDevice('dev_1')).toBe(second)
  expect(connections.ofDevice('dev_1')).toEqual([first, second])
  // The newer one, which may not be let in yet, does not end for the older one.
  expect([connections.before(first), connections.before(second)]).toEqual([[], [first]])
  other.closed = true
  // Nothing says of it that it has ended.
  expect([connections.byDevice('dev_1'), connections.size]).toEqual([first, 1])
  const third = add(client())
  expect(connections.ofDevice('dev_1')).toEqual([first, third])
  connections.remove(third.client)
  expect(connections.before(third)).toEqual([])
  expect([connections.byDevice('dev_1'), connections.all()]).toEqual([first, [first]])
  expect(connections.of(one)).toBe(first)
  connections.remove(one)
  connections.remove(one)
  expect([connections.of(one), connections.byDevice('dev_1'), connections.size]).toEqual([undefined, undefined, 0])
})

test('a device is subscribed to nothing before it is let in, though the subscriptions of its session are known', () => {
  const to = (connected: boolean) => ({ client: { connected, subscriptions: { own: { qos: 1 } } } as unknown as Client })
  expect([subscriptionTo(to(false), 'own'), subscriptionTo(to(true), 'own'), subscriptionTo(to(true), 'other')]).toEqual([
    undefined,
    { qos: 1 },
    undefined,
  ])
})
