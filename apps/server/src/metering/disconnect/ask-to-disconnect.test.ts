import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import type { App } from '../../kernel/app.ts'
import { askToDisconnect } from './ask-to-disconnect.ts'

test('where one request was not answered, others are sent once and waited for briefly, for half a minute or until something answers', async () => {
  const gateway = createSocket('udp4')
  gateway.bind(0, '127.0.0.1')
  await once(gateway, 'listening')
  let [heard, answers] = [0, false]
  gateway.on('message', (datagram, from) => {
    heard++
    const reply = () => encodeReply(decode(datagram) as Packet, codes.disconnect_ack, {}, Buffer.from('secret'))
    if (answers) gateway.send(reply(), from.port, from.address)
  })
  let now = Date.parse('2026-11-20T12:00:00Z')
  const app = { clock: { now: () => new Date(now) } } as App
  const to = { address: '127.0.0.1', port: gateway.address().port, secret: 'secret' }
  const session = { acct_session_id: 'a1', nas: 'pgw-1', imsi: null }
  const ask = async () => {
    const before = heard
    const { answer, sends } = await askToDisconnect(app, { gateway: to, session, at: app.clock.now(), waits: [40, 40, 40] })
    expect(sends).toBe(heard - before)
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
