import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newDevice, openBrokerHouse, type BrokerHouse } from './test-broker.ts'

// Devices as the clients of mosquitto are, where they are installed: a will, one that takes the place of another, and the token of another account.
const isThere = existsSync('/usr/bin/mosquitto_rr')
if (!isThere) console.log('The broker is not tried with the clients of mosquitto here, because mosquitto-clients is not installed')
const run = test.skipIf(!isThere)

type Device = Awaited<ReturnType<BrokerHouse['newDevice']>>

let house: BrokerHouse
const children: ChildProcess[] = []
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => house[Symbol.asyncDispose]())

function start(program: 'rr' | 'sub' | 'pub', { username, password }: Device, ...args: string[]) {
  const login = ['-h', '127.0.0.1', '-p', String(house.broker.ports.mqtt), '-V', 'mqttv311', '-u', username, '-P', password]
  const child = spawn(`mosquitto_${program}`, [...login, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return child
}
/** How it ended, and what it said. */
async function ended(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit') as Promise<[number | null]>])
  return { code, said }
}

const own = ({ username }: Device) => `device/${username}`
/** Connects with its will, subscribes, is born, and waits for what it is told. */
function live(device: Device, life: { seq: number; ts: number }): ChildProcess {
  const will = ['--will-topic', `${own(device)}/death`, '--will-payload', JSON.stringify(life), '--will-qos', '2', '--will-retain']
  const birth = ['-t', `${own(device)}/birth`, '-m', JSON.stringify(life), '-e', `${own(device)}/directives`, '-q', '1', '-c']
  return start('rr', device, '-i', own(device), ...will, ...birth)
}
const presence = (device: Device) =>
  expect.poll(async () => (({ online, last_seq }) => ({ online, last_seq }))(await house.find(device.device_id)))
const messages = (kind: string) => house.broker.figures.counters()[`messages_total ${kind}`] ?? 0

run('a device whose program is killed is offline by its will', async () => {
  const device = await house.newDevice()
  const before = messages('death')
  const client = live(device, { seq: 0, ts: 100 })
  await presence(device).toEqual({ online: true, last_seq: 0 })
  client.kill('SIGKILL')
  await presence(device).toEqual({ online: false, last_seq: 0 })
  await expect.poll(() => messages('death')).toBe(before + 1)
})

run('a second connection takes the place of the first, whose will changes nothing', async () => {
  const device = await house.newDevice()
  const before = messages('death')
  const first = live(device, { seq: 0, ts: 100 })
  await presence(device).toEqual({ online: true, last_seq: 0 })
  // It hangs, and would come back otherwise.
  first.kill('SIGSTOP')
  live(device, { seq: 1, ts: 200 })
  await presence(device).toEqual({ online: true, last_seq: 1 })
  await expect.poll(() => messages('death')).toBe(before + 1)
  await presence(device).toEqual({ online: true, last_seq: 1 })
})

run('a token of another account reaches no topic and no client id of this one', async () => {
  const [device, other] = [await house.newDevice(), await newDevice(house, await house.newOwner('others'), 'core')]
  for (const topic of [`${own(device)}/directives`, `signaling/${device.username}/request`, '#'])
    expect(await ended(start('sub', other, '-i', own(other), '-t', topic, '-q', '1'))).toEqual({
      code: 0,
      said: expect.stringContaining('All subscription requests were denied') as string,
    })
  const before = house.broker.figures.counters()['refused_total topic'] ?? 0
  const publishes = ['-t', `${own(device)}/hive`, '-q', '1', '-m', '{"type":"data_system","data":{"a":1},"mid":"0001"}']
  const intruder = start('pub', other, '-i', own(other), ...publishes)
  await expect.poll(() => house.broker.figures.counters()['refused_total topic'] ?? 0).toBeGreaterThan(before)
  intruder.kill('SIGKILL')
  expect(await ended(start('sub', other, '-i', own(device), '-t', `${own(device)}/directives`))).toEqual({
    code: 2,
    said: expect.stringContaining('identifier rejected') as string,
  })
  expect(await house.find(device.device_id)).toMatchObject({ online: false, last_seen_at: null, reported: {} })
})
