import type { MqttClient } from 'mqtt'
import { RTCPeerConnection } from 'werift'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startShell } from '@masthead/agent/terminal/shell'
import * as ops from '@masthead/contract/terminal/operations'
import { enrolDevice } from '../devices/index.ts'
import { openBrokerHouse, type BrokerHouse } from '../devices/test-broker.ts'
import { bytesOf } from './recording/cast.ts'
import { messagesOf } from './relay/core-end.ts'
import { openWindow, soon } from './test-terminal.ts'

let house: BrokerHouse
let address: string
beforeAll(async () => {
  house = await openBrokerHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

/** A CORE device and its helper, as domain §6.6 says of them. */
async function runCore(answers: 'shell' | 'not_supported' | 'nothing') {
  const login = await house.newDevice('core')
  const { username } = login
  await house.db.updateTable('asset').set({ type: 'core' }).where('id', '=', login.asset_id).execute()
  const client: MqttClient = await house.connect(login)
  const peers: RTCPeerConnection[] = []
  client.on('message', (topic, payload) => void (topic === `signaling/${username}/request` && answer(payload)))
  await client.subscribeAsync([`device/${username}/directives`, `signaling/${username}/request`], { qos: 1 })
  await client.publishAsync(`device/${username}/birth`, JSON.stringify({ seq: 1, ts: 1 }), { qos: 1 })
  await vi.waitFor(async () => expect((await house.find(login.device_id)).online).toBe(true), 10_000)

  async function answer(asked: Buffer) {
    if (answers === 'nothing') return
    if (answers === 'not_supported') return client.publish(`signaling/${username}/response`, 'platform_not_supported')
    const { id, payload } = JSON.parse(String(asked)) as { id: string; payload: string }
    const peer = new RTCPeerConnection({ iceServers: [] })
    peers.push(peer)
    peer.onDataChannel.subscribe((channel) => {
      const started = startShell(
        { cols: 80, rows: 24 },
        {
          onBytes: (bytes) => {
            const text = Buffer.from(bytes)
            // Messages of text of at most 1,024 bytes, whatever bytes they are: a character may be cut.
            for (let at = 0; at < text.length; at += 1024) void peer.sctpTransport!.sctp.send(channel.id, 51, text.subarray(at, at + 1024))
          },
          onExit: () => channel.close(),
        }
      )
      // What comes while it starts is for it, too.
      channel.onMessage.subscribe((data) => {
        void started.then((shell) => {
          const [, rows, cols] = /^resize_(\d+),(\d+)/.exec(String(data)) ?? []
          if (rows) shell.resize({ rows: Number(rows), cols: Number(cols) })
          else if (String(data) === 'ping') channel.send('pong')
          else shell.write(Buffer.from(data as Buffer), () => {})
        })
      })
      channel.stateChanged.subscribe((state) => {
        if (state === 'closed') void started.then((shell) => shell.end())
      })
    })
    await peer.setRemoteDescription(JSON.parse(Buffer.from(payload, 'base64').toString()) as { type: 'offer'; sdp: string })
    await peer.setLocalDescription(await peer.createAnswer())
    const { sdp } = peer.localDescription!
    const said = Buffer.from(JSON.stringify({ type: 'answer', sdp })).toString('base64')
    client.publish(`signaling/${username}/response`, JSON.stringify({ id, payload: said }))
  }
  return {
    params: { asset_id: login.asset_id },
    answers: (message: string, as = username) => client.publishAsync(`signaling/${as}/response`, message, { qos: 1 }),
    username,
    peers,
    closed: new Promise<void>((resolve) => client.once('close', () => resolve())),
    async [Symbol.asyncDispose]() {
      await Promise.all(peers.map((peer) => peer.close()))
      await client.endAsync(true)
    },
  }
}

const open = async (params: { asset_id: string }) => {
  const { body, text } = await house.owner.call(ops.openTerminal, { params, body: { cols: 90, rows: 30 } })
  expect(body.kind, text).toBe('core')
  return { id: body.id, window: await openWindow(address, house.owner, body.id) }
}

test('the shell of a CORE device by WebRTC that ends at the server: typed, its size, recorded', async () => {
  await using device = await runCore('shell')
  const { id, window } = await open(device.params)
  await window.message('step', ({ step }) => step === 'shell')
  window.type('stty size; echo "grüße-$((40+2))"\r')
  await window.shows('30 90')
  await window.shows('grüße-42')
  window.type('echo a-')
  window.type('ping')
  window.type('; exit\r')
  await window.shows('a-ping')
  expect(await window.message('ended')).toMatchObject({ reason: 'shell_ended' })
  await vi.waitFor(async () => {
    const { body } = await house.owner.call(ops.getTerminal, { params: { terminal_id: id } })
    expect(body).toMatchObject({ state: 'ended', recording: 'kept' })
  }, 20_000)
  const { text } = await house.owner.call(ops.exportRecording, { params: { terminal_id: id } })
  expect(bytesOf(text).equals(window.bytes())).toBe(true)
}, 90_000)

test('a device that has no terminal says so; one that does not answer is not waited for longer than 20 s', async () => {
  await using without = await runCore('not_supported')
  const { window } = await open(without.params)
  expect(await window.message('ended')).toMatchObject({ reason: 'not_supported' })

  await using silent = await runCore('nothing')
  const { window: waiting } = await open(silent.params)
  house.clock.advance({ seconds: 21 })
  expect(await waiting.message('ended')).toMatchObject({ reason: 'no_answer' })
}, 60_000)

test('bytes that are no text, and characters in two pieces, go to the shell and back as they are, and are recorded so', async () => {
  await using device = await runCore('shell')
  const { id, window } = await open(device.params)
  await window.message('step', ({ step }) => step === 'shell')
  window.type(
    'stty raw -echo; printf "ready-%s" here; head -c 8 | od -An -tx1; printf "\\377\\200|"; printf "ü%.0s" $(seq 1500); printf "the-%s" end\r'
  )
  await window.shows('ready-here')
  for (const bytes of [[0xff, 0x85], [0xc3], [0xbc], [0x70, 0x69, 0x6e, 0x67]]) window.typeBytes(Uint8Array.from(bytes))
  await window.shows('ff 85 c3 bc 70 69 6e 67')
  await window.shows('the-end')
  const seen = window.bytes()
  const from = seen.indexOf(Buffer.from([0xff, 0x80, 0x7c])) + 3
  expect(seen.subarray(from, from + 3000).toString()).toBe('ü'.repeat(1500))
  window.say({ t: 'end' })
  await window.message('ended')
  await vi.waitFor(async () => {
    const { body } = await house.owner.call(ops.getTerminal, { params: { terminal_id: id } })
    expect(body).toMatchObject({ state: 'ended', recording: 'kept' })
  }, 20_000)
  const { text } = await house.owner.call(ops.exportRecording, { params: { terminal_id: id } })
  expect(bytesOf(text).equals(window.bytes())).toBe(true)
  expect(bytesOf(text, 'i').subarray(-8).toString('hex')).toBe('ff85c3bc70696e67')
}, 90_000)

test('a device may open some channels beside ours, and one that opens more loses its session', async () => {
  await using device = await runCore('shell')
  const { window } = await open(device.params)
  await window.message('step', ({ step }) => step === 'shell')
  const others = Array.from({ length: 16 }, (_, nth) => device.peers[0]!.createDataChannel(`beside-${nth}`))
  await vi.waitFor(() => expect(others.every(({ readyState }) => readyState === 'open')).toBe(true), 30_000)
  window.type('echo "still-$((40+2))"\r')
  await window.shows('still-42')
  device.peers[0]!.createDataChannel('beside-16')
  expect(await window.message('ended')).toMatchObject({ reason: 'device_left', words: expect.stringContaining('channels of its own') })
}, 60_000)

test('no device answers for another: neither for its session at a topic of its own, nor at the topic of the other', async () => {
  await using asked = await runCore('nothing')
  await using liar = await runCore('nothing')
  const { id, window } = await open(asked.params)
  const payload = Buffer.from(JSON.stringify({ type: 'answer', sdp: 'v=0' })).toString('base64')
  await liar.answers(JSON.stringify({ id, payload }))
  await liar.answers('platform_not_supported')
  // At a topic that is not its own it is let go, or not received.
  await Promise.race([liar.answers(JSON.stringify({ id, payload }), asked.username), liar.closed])
  const { answer } = await house.db.selectFrom('terminal_session').select('answer').where('id', '=', id).executeTakeFirstOrThrow()
  expect(answer).toBeNull()
  await asked.answers('platform_not_supported')
  expect(await window.message('ended')).toMatchObject({ reason: 'not_supported' })
}, 60_000)

test('other credentials of a CORE device end the terminal of what had those of before, within 2 s', async () => {
  await using device = await runCore('shell')
  const { window } = await open(device.params)
  await window.message('step', ({ step }) => step === 'shell')
  const { account_id } = house.owner
  const at = house.clock.now()
  await house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, ...device.params, kind: 'core', at }))
  expect(await soon('The end with the credentials', window.message('ended'))).toMatchObject({
    reason: 'device_left',
    words: 'The device was given other credentials',
  })
}, 60_000)

test('what is typed is taken for no word of the protocol, and is cut within no character', () => {
  const read = (text: string) => messagesOf(Buffer.from(text))
  expect(read('ping')).toEqual(['p', 'ing'])
  expect(read('resize_1,2')).toEqual(['r', 'esize_1,2'])
  expect([read('ls -la\r'), read('')]).toEqual([['ls -la\r'], []])
  const long = read(`a${'日'.repeat(10_000)}`)
  expect([long.join(''), long.every((message) => typeof message === 'string')]).toEqual([`a${'日'.repeat(10_000)}`, true])
  expect(messagesOf(Uint8Array.of(0xff, 0x61))).toEqual([Buffer.from([0xff, 0x61])])
})
