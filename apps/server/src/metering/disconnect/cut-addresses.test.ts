import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { putGateway } from '../../gateways/test-gateway.ts'
import { cutSession } from './cut-session.ts'
import { openMeteredHouse, packetOf } from '../test-network.ts'

type Says = 'ack' | 503 | 'nothing'

function answerWith(socket: Socket, secret: string, says: Says) {
  socket.on('message', (datagram, from) => {
    if (says === 'nothing') return
    const [code, attributes] =
      says === 'ack' ? ([codes.disconnect_ack, {}] as const) : ([codes.disconnect_nak, { error_cause: says }] as const)
    socket.send(encodeReply(decode(datagram) as Packet, code, attributes, Buffer.from(secret)), from.port, from.address)
  })
}

/** What becomes of a cut when the two addresses of a gateway say this. */
async function cut(first: Says, second: Says) {
  await using house = await openMeteredHouse()
  const other = createSocket('udp4')
  other.bind(0, '127.0.0.2')
  await once(other, 'listening')
  await putGateway(house.db, { id: house.gateway_id, address: '127.0.0.2', secret: 'the other', coa_port: other.address().port })
  answerWith(house.coa, 'secret', first)
  answerWith(other, 'the other', second)
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 10 }))
  await house.meter.gateways.saveReceived()
  await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', sim.id).execute()
  const [session] = await house.sessionsOf(sim)
  const done = cutSession(house.app, { account_id: house.owner.account_id, session_id: session!.id }, [50])
  const words = await done.then(
    () => null,
    (error: Error) => error.message
  )
  other.close()
  const [after] = await house.sessionsOf(sim)
  return { answer: after!.disconnect?.answer, attempts: after!.disconnect?.attempts, words }
}

test('a session is cut wherever its gateway answers, first where it was seen', async () => {
  expect(await cut('ack', 'ack')).toEqual({ answer: 'ack', attempts: 1, words: null })
  expect(await cut('nothing', 'ack')).toEqual({ answer: 'ack', attempts: 2, words: null })
  expect(await cut(503, 'ack')).toEqual({ answer: 'ack', attempts: 2, words: null })
})

test('it is gone only where all addresses say so', async () => {
  expect(await cut(503, 503)).toEqual({ answer: 'gone', attempts: 2, words: null })
  for (const [a, b] of [
    ['nothing', 503],
    [503, 'nothing'],
  ] as const)
    expect(await cut(a, b)).toEqual({ answer: 'timeout', attempts: 2, words: expect.stringContaining('No answer from') })
})

test('a secret that cannot be decrypted silences its address alone, and the session says so', async () => {
  await using house = await openMeteredHouse()
  const other = createSocket('udp4')
  other.bind(0, '127.0.0.2')
  await once(other, 'listening')
  const { address_id } = await putGateway(house.db, {
    id: house.gateway_id,
    address: '127.0.0.2',
    secret: 'the other',
    coa_port: other.address().port,
  })
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 10 }))
  await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', sim.id).execute()
  const lock = (id: string) => house.db.updateTable('gateway_address').set({ secret: 'mk1.00000000.AAAA' }).where('id', '=', id).execute()
  await lock(house.address_id)
  const [session] = await house.sessionsOf(sim)
  const job = { account_id: house.owner.account_id, session_id: session!.id }
  const asked = async () => (await house.sessionsOf(sim))[0]!
  await lock(address_id)
  await expect(cutSession(house.app, job, [50])).rejects.toThrow('127.0.0.1 cannot be asked')
  expect(await asked()).toMatchObject({ ended_at: null, disconnect: { answer: 'timeout', attempts: 0, answered_at: null } })
  await house.db.updateTable('gateway_address').set({ secret: 'the other' }).where('id', '=', address_id).execute()
  answerWith(other, 'the other', 'ack')
  await cutSession(house.app, job, [5000])
  expect(await asked()).toMatchObject({ end_cause: 'Cut by Masthead', disconnect: { answer: 'ack', attempts: 1 } })
  other.close()
})
