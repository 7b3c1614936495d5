import { chromium, type Page } from '@playwright/test'
import { connectAsync } from 'mqtt'
import { browserArguments, findBrowser } from '../tools/browser.ts'
import { expect } from './fixtures.ts'

type Description = { type: 'offer' | 'answer'; sdp: string }
/** What the page that plays the device keeps on its window. */
type Played = { said: string[]; end: () => void }

/** A CORE device of the account that is signed in: its SIM, and the token by which it signs in. */
export async function enrolCore(page: Page, iccid: string): Promise<string> {
  const made = await page.request.post('/v1/core/deployments', { data: { name: `Peers ${crypto.randomUUID().slice(0, 8)}` } })
  const { token } = (await made.json()) as { token: string }
  const answer = await page.request.post('/v1/core/deploy', { data: Buffer.from(JSON.stringify({ deployment_token: token, iccid })) })
  expect(answer.status(), await answer.text()).toBe(201)
  return ((await answer.json()) as { device_token: string }).device_token
}

/**
 * Plays the terminal of a CORE device by the WebRTC of Chromium, as domain §6.6 has it: the offer comes by MQTT, the answer is whole and goes back there, and
 * the channel that the server made has a shell, which says back each line that is typed. `said`: the messages that came through the channel.
 */
export async function runCorePeer(token: string) {
  const executablePath = findBrowser()
  const browser = await chromium.launch({
    // A device says its addresses, where a browser would hide them behind names.
    args: [...browserArguments, '--disable-features=WebRtcHideLocalIpsWithMdns'],
    ...(executablePath && { executablePath }),
  })
  const page = await browser.newPage()
  const client = await connectAsync(`mqtt://127.0.0.1:${process.env.MASTHEAD_E2E_MQTT_PORT}`, {
    clientId: `device/${token}`,
    username: token,
    password: 'sixfab',
    protocolVersion: 4,
    clean: false,
    reconnectPeriod: 0,
  })
  client.on('message', (topic, payload) => void (topic === `signaling/${token}/request` && answer(payload)))
  await client.subscribeAsync([`device/${token}/directives`, `signaling/${token}/request`], { qos: 1 })
  await client.publishAsync(`device/${token}/birth`, JSON.stringify({ seq: 0, ts: Date.now() / 1000, fresh: true }), {
    qos: 2,
    retain: true,
  })

  async function answer(asked: Buffer) {
    const { id, payload } = JSON.parse(String(asked)) as { id: string; payload: string }
    const offer = JSON.parse(Buffer.from(payload, 'base64').toString()) as Description
    const said = await page.evaluate(join, offer)
    const back = { id, payload: Buffer.from(JSON.stringify(said)).toString('base64') }
    await client.publishAsync(`signaling/${token}/response`, JSON.stringify(back))
  }
  return {
    said: () => page.evaluate(() => (window as unknown as Partial<Played>).said ?? []),
    end: () => page.evaluate(() => (window as unknown as Played).end()),
    async [Symbol.asyncDispose]() {
      await client.endAsync(true)
      await browser.close()
    },
  }
}

/** In the page. Answers once all candidates are there, as the other side takes none later. */
async function join(offer: Description): Promise<Description> {
  const peer = new RTCPeerConnection()
  const played = window as unknown as Played
  played.said = []
  peer.ondatachannel = ({ channel }) => {
    channel.binaryType = 'arraybuffer'
    let line = ''
    const run = (command: string) => {
      if (command === 'exit') return played.end()
      if (command === 'bytes') {
        // A character in two pieces, as of a device that sends what its shell wrote as it comes.
        const bytes = new TextEncoder().encode('grüße')
        channel.send(bytes.slice(0, 3))
        channel.send(bytes.slice(3))
      } else if (command === 'flood') for (let nth = 0; nth < 300; nth++) channel.send(`${String(nth).padStart(1022, '.')}\r\n`)
      channel.send(`\r\nsaid: ${command}\r\n$ `)
    }
    channel.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      const text = typeof data === 'string' ? data : new TextDecoder().decode(data)
      played.said.push(text)
      if (text === 'ping') return channel.send('pong')
      if (/^resize_\d+,\d+$/.test(text)) return undefined
      for (const key of text) {
        if (key === '\r') {
          run(line)
          line = ''
        } else {
          line += key
          channel.send(key)
        }
      }
      return undefined
    }
    played.end = () => {
      channel.close()
      // What it says of its end goes first.
      setTimeout(() => peer.close(), 500)
    }
  }
  await peer.setRemoteDescription(offer)
  await peer.setLocalDescription(await peer.createAnswer())
  await new Promise<void>((resolve) => {
    const check = () => void (peer.iceGatheringState === 'complete' && resolve())
    peer.onicegatheringstatechange = check
    check()
  })
  return { type: 'answer', sdp: peer.localDescription!.sdp }
}
