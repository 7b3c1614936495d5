import { createSocket, Socket } from 'node:dgram'
import { expect, test } from 'vitest'
import { encodeRequest } from '@masthead/radius/authenticator'
import { codes } from '@masthead/radius/packet'
import { putGateway } from '../gateways/test-gateway.ts'
import { openMeteredHouse, packetOf } from './test-network.ts'

test('a wrong secret and malformed packets meet silence, and each has its counter', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { client, meter } = house
  const fine = () => client.account(packetOf(sim, 'start'))
  const dropped = (cause: string, port = 'acct') => meter.figures.count(`masthead_meter_dropped_total{port="${port}",cause="${cause}"`)
  expect(await client.isSilent(() => client.account(packetOf(sim, 'interim', { time: 1, up: 9 }), { secret: 'wrong' }), fine)).toBe(true)
  expect(dropped('wrong authenticator')).toBe(1)

  const good = encodeRequest({ code: codes.accounting_request, identifier: 99, attributes: packetOf(sim, 'start') }, Buffer.from('secret'))
  const hostile: [string, Buffer][] = [
    ['too short', good.subarray(0, 19)],
    ['length mismatch', good.subarray(0, good.length - 1)],
    ['unknown code', Buffer.concat([Buffer.from([77]), good.subarray(1)])],
    ['bad attribute length', Buffer.concat([Buffer.from([4, 1, 0, 22]), Buffer.alloc(16), Buffer.from([1, 1])])],
    ['unexpected code', encodeRequest({ code: codes.access_request, identifier: 98, attributes: {} }, Buffer.from('secret'))],
  ]
  for (const [, datagram] of hostile) client.send(datagram)
  await fine()
  for (const [cause] of hostile) expect([cause, dropped(cause)]).toEqual([cause, 1])

  expect(await client.isSilent(() => client.account({ acct_session_id: 'x', imsi: sim.imsi }), fine)).toBe(true)
  expect(dropped('no Acct-Status-Type')).toBe(1)
  expect(await client.isSilent(() => client.account({ acct_status_type: 3, imsi: sim.imsi }), fine)).toBe(true)
  expect(dropped('no Acct-Session-Id')).toBe(1)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 0, bytes_down: 0 })
})

test('an unknown gateway is not answered, until it is made known', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const stranger = createSocket('udp4')
  await new Promise<void>((resolve) => stranger.bind(0, '127.0.0.9', resolve))
  const answers: Buffer[] = []
  const answered = new Promise<void>((resolve) => stranger.on('message', (datagram) => (answers.push(datagram), resolve())))
  const send = (identifier: number) =>
    stranger.send(
      encodeRequest({ code: codes.accounting_request, identifier, attributes: packetOf(sim, 'start') }, Buffer.from('of my own')),
      house.meter.ports.acct,
      '127.0.0.1'
    )
  send(1)
  await house.client.account(packetOf(sim, 'start', { id: 'sentinel' }))
  expect(house.meter.figures.count('masthead_meter_dropped_total{port="acct",cause="unknown gateway"')).toBe(1)
  await putGateway(house.db, { name: 'New', address: '127.0.0.9', secret: 'of my own' })
  await expect.poll(() => house.meter.gateways.byAddress('127.0.0.9')?.name, { timeout: 20_000 }).toBe('New')
  send(2)
  await answered
  expect(answers.map((each) => each[1])).toEqual([2])
  stranger.close()
})

/** The socket of a port: what the system never hands over is given to it as if it had. */
function socketAt(port: number): Socket {
  const handles = (process as unknown as { _getActiveHandles: () => unknown[] })._getActiveHandles()
  return handles.find((handle) => handle instanceof Socket && handle.address().port === port) as Socket
}

test('a mistake about one packet leaves that one unanswered, and nothing else', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { ports, figures } = house.meter
  for (const port of ['auth', 'acct'] as const) {
    socketAt(ports[port]).emit('message', Buffer.from('of nobody'), {})
    expect(figures.count(`masthead_meter_dropped_total{port="${port}",cause="mistake"`)).toBe(1)
  }
  await house.client.account(packetOf(sim, 'interim', { time: 2, up: 5 }))
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_accept)
})

test('a packet from a port that no answer can go to is counted, and holds nobody else up', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { acct } = house.meter.ports
  const hearing = socketAt(acct)
  const attributes = { nas_identifier: 'pgw-1', ...packetOf(sim, 'interim', { time: 1, up: 3 }) }
  // Anybody can send what a gateway once sent, from any port: 0 is one that a datagram may come from.
  const datagram = encodeRequest({ code: codes.accounting_request, identifier: 1, attributes }, Buffer.from('secret'))
  for (const port of [0, 0]) hearing.emit('message', datagram, { address: '127.0.0.1', family: 'IPv4', port, size: datagram.length })
  await house.client.account(packetOf(sim, 'interim', { time: 2, up: 5 }))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 5 })
  expect(house.meter.figures.count('masthead_meter_dropped_total{port="acct",cause="no way back"')).toBe(1)
  expect(house.meter.figures.count('masthead_meter_accounting_total{effect="retransmitted"}'), 'while the first was counted').toBe(1)
})

test('a gateway whose secret can sign nothing is silenced alone', async () => {
  await using house = await openMeteredHouse()
  await putGateway(house.db, { address: '127.0.0.8', secret: 'x'.repeat(1025) })
  await house.meter.gateways.refresh()
  expect(house.meter.gateways.byAddress('127.0.0.8')).toBeUndefined()
  expect(house.meter.gateways.byAddress('127.0.0.1')?.name).toBe('Test gateway')
})

test('an Access-Request needs a Message-Authenticator, unless its gateway is legacy', async () => {
  await using strict = await openMeteredHouse()
  const sim = await strict.newSim()
  const fine = () => strict.client.access({ imsi: sim.imsi })
  const without = () => strict.client.access({ imsi: sim.imsi }, { message_authenticator: false })
  expect(await strict.client.isSilent(without, fine)).toBe(true)
  expect(strict.meter.figures.count('masthead_meter_dropped_total{port="auth",cause="no Message-Authenticator"')).toBe(1)
  expect(await strict.client.isSilent(() => strict.client.access({ imsi: sim.imsi }, { secret: 'wrong' }), fine)).toBe(true)
  expect(strict.meter.figures.count('masthead_meter_dropped_total{port="auth",cause="wrong Message-Authenticator"')).toBe(1)

  await using lax = await openMeteredHouse({ legacy: true })
  const other = await lax.newSim()
  const reply = await lax.client.access({ imsi: other.imsi }, { message_authenticator: false })
  expect(reply.code).toBe(codes.access_accept)
  expect(reply.messageAuthenticatorAt, 'first in the reply').toBe(22)
  const wrong = () => lax.client.access({ imsi: other.imsi }, { secret: 'wrong' })
  expect(await lax.client.isSilent(wrong, () => lax.client.access({ imsi: other.imsi })), 'a bad one is never forgiven').toBe(true)
})

test.each([9, 15, 0x8000_0001])('accounting of type %i is answered and counted as ignored', async (acct_status_type) => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await house.client.account({ ...packetOf(sim, 'interim', { time: 1, up: 3 }), acct_status_type })
  expect(house.meter.figures.count('masthead_meter_accounting_total{effect="ignored"')).toBe(1)
  expect(await house.counter(sim)).toBeUndefined()
  await house.meter.gateways.saveReceived()
  expect(await house.db.selectFrom('gateway_address').select('packets').executeTakeFirst()).toEqual({ packets: 1 })
})

test('accounting that does not say what it is stays unanswered', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { acct_status_type: _, ...none } = packetOf(sim, 'interim', { time: 1, up: 3 })
  const fine = () => house.client.account(packetOf(sim, 'interim', { time: 2, up: 3 }))
  expect(await house.client.isSilent(() => house.client.account(none), fine)).toBe(true)
  expect(house.meter.figures.count('masthead_meter_dropped_total{port="acct",cause="no Acct-Status-Type"')).toBe(1)
})

test('an Accounting-Request may come without a Message-Authenticator', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 1, up: 3 }), { message_authenticator: false })
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3 })
})
