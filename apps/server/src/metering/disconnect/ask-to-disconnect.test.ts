import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import type { App } from '../../kernel/app.ts'
import { askToDisconnect } from './ask-to-disconnect.ts'

test('where one request was not answered, others are sent once and waited for briefly, for half a minute or until something answers', async () => {
  const gateway = createSocket('udp4')
  gateway.bind(0, '127.0.0.1')
  await once(gateway, 'listening')
  let [received, answers] = [0, false]
  gateway.on('message', (datagram, from) => {
    received++
    const reply = () => encodeReply(decode(datagram) as Packet, codes.disconnect_ack, {}, Buffer.from('secret'))
    if (answers) gateway.send(reply(), from.port, from.address)
  })
  let now = Date.parse('2026-11-20T12:00:00Z')
  const app = { clock: { now: () => new Date(now) } } as App
  const to = { address: '127.0.0.1', port: gateway.address().port, secret: 'secret' }
  const session = { acct_session_id: 'a1', nas: 'pgw-1', heard_from: '127.0.0.1', imsi: null }
  const ask = async () => {
    const before = received
    const { answer, sends } = await askToDisconnect(app, { gateway: to, session, at: app.clock.now(), waits: [40, 40, 40] })
    expect(sends).toBe(received - before)
    return [answer, sends]
  }
  try {
    expect([await ask(), await ask()]).toEqual([
      ['timeout', 3],
      ['timeout', 1],
    ])
    now += 29_000
    expect(await ask()).toEqual(['timeout', 1])
    now += 1000
    expect(await ask(), 'a brief try does not make it longer').toEqual(['timeout', 3])
    answers = true
    expect(await ask()).toEqual(['ack', 1])
    answers = false
    expect(await ask()).toEqual(['timeout', 3])
  } finally {
    gateway.close()
  }
})

/** The names that a gateway was called by, where it refuses all but `own`; and what came of it. */
async function namesHeard(nas: string, heard_from: string, own: string | null) {
  const gateway = createSocket('udp4')
  gateway.bind(0, '127.0.0.1')
  await once(gateway, 'listening')
  const names: (string | null)[] = []
  gateway.on('message', (datagram, from) => {
    const request = decode(datagram) as Packet
    const { nas_identifier, nas_ip } = readRequest(request)
    const said = [nas_identifier && `id ${nas_identifier}`, nas_ip && `ip ${nas_ip}`].filter(Boolean).join(' ') || null
    const hasIpv6 = request.attributes.some(({ type }) => type === 95)
    names.push(hasIpv6 ? 'ipv6' : said)
    const [code, attributes] = names.at(-1) === own ? [codes.disconnect_ack, {}] : [codes.disconnect_nak, { error_cause: 403 }]
    gateway.send(encodeReply(request, code, attributes, Buffer.from('secret')), from.port, from.address)
  })
  const app = { clock: { now: () => new Date() } } as App
  const to = { address: '127.0.0.1', port: gateway.address().port, secret: 'secret' }
  const session = { acct_session_id: 'a1', nas, heard_from, imsi: null }
  const { answer, sends } = await askToDisconnect(app, { gateway: to, session, at: app.clock.now(), waits: [5000] })
  gateway.close()
  expect(sends).toBe(names.length)
  return [answer, ...names]
}

test('over IPv6 a gateway is first not called by its source address, and by another one as its NAS-IPv6-Address', async () => {
  expect(await namesHeard('2001:db8::1', '2001:db8::1', null)).toEqual(['ack', null])
  expect(await namesHeard('2001:db8::1', '2001:db8::1', 'ipv6')).toEqual(['ack', null, 'ipv6'])
  expect(await namesHeard('2001:db8::7', '2001:db8::1', 'ipv6')).toEqual(['ack', 'ipv6'])
  expect(await namesHeard('2001:db8::7', '2001:db8::1', 'id 2001:db8::7')).toEqual(['ack', 'ipv6', 'id 2001:db8::7'])
})

test('what looks like an IPv4 address is first its NAS-IP-Address, and is another name where the gateway refuses that', async () => {
  expect(await namesHeard('10.0.0.1', '10.0.0.9', 'ip 10.0.0.1')).toEqual(['ack', 'ip 10.0.0.1'])
  expect(await namesHeard('10.0.0.1', '10.0.0.9', 'id 10.0.0.1')).toEqual(['ack', 'ip 10.0.0.1', 'id 10.0.0.1'])
  expect(await namesHeard('10.0.0.1', '10.0.0.1', null)).toEqual(['ack', 'ip 10.0.0.1', null])
  expect(await namesHeard('10.0.0.1', '10.0.0.1', 'id of nobody')).toEqual(['nak', 'ip 10.0.0.1', null])
  expect(await namesHeard('pgw-1', '10.0.0.1', 'id of nobody')).toEqual(['nak', 'id pgw-1'])
})
