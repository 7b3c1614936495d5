import { expect, test } from 'vitest'
import type { ContainerSpec } from '@masthead/contract/devices/agent/application'
import { changesBetween } from './version-changes.ts'

const relay: ContainerSpec = {
  name: 'relay',
  image: 'acme/relay:1',
  ports: [{ host: 30_080, container: 80, protocol: 'tcp' }],
  volumes: [],
  environment: [
    { name: 'MODE', value: 'fast', secret: false },
    { name: 'TOKEN', value: null, secret: true },
  ],
  restart_policy: 'always',
  health: null,
}
const changes = (more: Partial<ContainerSpec>, token = 'abc') =>
  changesBetween(
    { containers: [relay], secrets: { relay: { TOKEN: 'abc' } } },
    { containers: [{ ...relay, ...more }], secrets: { relay: { TOKEN: token } } }
  )

test('what differs is said with its values, and of variables only which', () => {
  expect(changes({})).toEqual([])
  expect(changes({ ports: [{ host: 30_081, container: 80, protocol: 'tcp' }] })).toEqual(['relay: ports 30080:80/tcp to 30081:80/tcp'])
  expect(changes({ volumes: [{ host: 'data', container: '/data', mode: 'ro' }], restart_policy: 'no' })).toEqual([
    'relay: volumes none to data:/data:ro',
    'relay: restart policy always to no',
  ])
  expect(changes({ health: { command: 'true', every_s: 30, retries: 3, start_s: 0 } })).toEqual([
    'relay: health check none to “true” each 30 s, 3 times, after 0 s',
  ])
  expect(
    changes({
      environment: [
        { name: 'MODE', value: 'slow', secret: false },
        { name: 'NEW', value: '1', secret: false },
      ],
    })
  ).toEqual(['relay: variable MODE changed', 'relay: variable NEW added', 'relay: variable TOKEN removed'])
  expect(changes({}, 'other')).toEqual(['relay: variable TOKEN changed'])
  // The order of its variables is another, and so is what a device is to run.
  expect(changes({ environment: relay.environment.toReversed() })).toEqual(['relay: other settings'])
})

test('of the network its order and its APN, and of a password only that it is another', () => {
  const version = (network?: Parameters<typeof changesBetween>[0]['network']) => ({
    containers: [],
    secrets: {},
    ...(network && { network }),
  })
  const apn = { name: 'super', user: 'me', password: 'abc' }
  const first = version({ priority: ['eth0', 'wwan0'], apn })
  expect(changesBetween(version(), first)).toEqual(['network priority set to eth0, wwan0', 'APN set to super as me'])
  expect(changesBetween(first, version({ priority: ['eth0', 'wwan0'], apn: { ...apn, password: 'def' } }))).toEqual([
    'password of the APN changed',
  ])
  expect(changesBetween(first, version({ priority: ['wwan0'], apn: null }))).toEqual([
    'network priority eth0, wwan0 to wwan0',
    'APN super as me not set any more: it stays as it is',
  ])
  expect(changesBetween(first, version())).toEqual([
    'network priority eth0, wwan0 not set any more: it stays as it is',
    'APN super as me not set any more: it stays as it is',
  ])
})
