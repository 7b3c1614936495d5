import { RTCPeerConnection } from 'werift'
import { expect, test } from 'vitest'
import { keepCoreTerminals } from './simulated-core-terminals.ts'
import { simulatedShell } from './simulated-shell.ts'

const start = simulatedShell({ name: 'Gate 1', iccid: '8988', user: 'sixfab', containers: () => [], logOf: () => [] })
const base64 = (said: object) => Buffer.from(JSON.stringify(said)).toString('base64')

/** The other side of domain §6.6: it makes the channel, and waits for an answer that is complete. */
async function connect() {
  const answers: string[] = []
  const terminals = keepCoreTerminals({ start, answer: (message) => answers.push(message) })
  const peer = new RTCPeerConnection({ iceServers: [] })
  const channel = peer.createDataChannel('terminal')
  let shown = ''
  channel.onMessage.subscribe((data) => (shown += data.toString()))
  await peer.setLocalDescription(await peer.createOffer())
  await expect.poll(() => peer.iceGatheringState, { timeout: 10_000 }).toBe('complete')
  terminals.receive(Buffer.from(JSON.stringify({ id: 'trm_1', payload: base64({ type: 'offer', sdp: peer.localDescription!.sdp }) })))
  await expect.poll(() => answers.length, { timeout: 10_000 }).toBe(1)
  const { id, payload } = JSON.parse(answers[0]!) as { id: string; payload: string }
  expect(id).toBe('trm_1')
  const { type, sdp } = JSON.parse(Buffer.from(payload, 'base64').toString()) as { type: 'answer'; sdp: string }
  await peer.setRemoteDescription({ type, sdp })
  await expect.poll(() => channel.readyState, { timeout: 20_000 }).toBe('open')
  return { terminals, peer, channel, shows: (part: string) => expect.poll(() => shown, { timeout: 10_000 }).toContain(part) }
}

test('an offer is answered, its channel has a shell of its own, and both end together', async () => {
  const { terminals, peer, channel, shows } = await connect()
  channel.send('resize_30,90')
  channel.send('clear\r')
  await shows('This device is simulated')
  await shows('sixfab@gate-1')
  channel.send('whoami\r')
  await shows('whoami\r\nsixfab')
  channel.send('ping')
  await shows('pong')
  expect(terminals.size()).toBe(1)
  channel.send('exit\r')
  await expect.poll(() => channel.readyState, { timeout: 10_000 }).toBe('closed')
  expect(terminals.size()).toBe(0)
  await peer.close()
}, 60_000)

test('when the other side closes the channel, nothing is left; what is no offer is answered with nothing', async () => {
  const { terminals, peer, channel } = await connect()
  channel.close()
  await expect.poll(() => terminals.size(), { timeout: 10_000 }).toBe(0)
  await peer.close()
  for (const request of ['', '{}', JSON.stringify({ id: 'trm_2', payload: base64({ type: 'answer', sdp: '' }) })])
    terminals.receive(Buffer.from(request))
  await new Promise((resolve) => setImmediate(resolve))
  expect(terminals.size()).toBe(0)
}, 60_000)
