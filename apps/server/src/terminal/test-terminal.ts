import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { startAgent } from '@masthead/agent/agent'
import { openEngine } from '@masthead/agent/engine/engine'
import { realPlaces } from '@masthead/agent/host/vitals'
import { openTerminal } from '@masthead/contract/terminal/operations'
import { type FromBrowser, readFrame, takenEach, ToBrowser } from '@masthead/contract/terminal/wire'
import type * as z from 'zod/mini'
import type { Person } from '@masthead/testkit/house'
import { putAgent } from '../devices/agent/test-agent.ts'
import { openBrokerHouse } from '../devices/test-broker.ts'

/** An account with a device that runs a real agent, connected to a real broker. */
export async function openTerminalHouse() {
  const house = await openBrokerHouse()
  const server = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const { asset_id, device_id, token } = await putAgent(house, house.owner)
  const folder = mkdtempSync(join(tmpdir(), 'terminal-'))
  const said: string[] = []
  const start = () =>
    startAgent({
      login: { server, url: `mqtt://127.0.0.1:${house.broker.ports.mqtt}`, device_id, token },
      engine: openEngine('/nowhere'),
      places: realPlaces,
      notesPath: join(folder, 'notes.json'),
      random: () => 0.001,
      say: (words) => said.push(words),
      reboot: () => {},
    })
  const agent = start()
  const isOnline = async () => (await house.find(device_id)).online
  while (!(await isOnline())) await new Promise((resolve) => setTimeout(resolve, 20))
  return {
    ...house,
    asset_id,
    device_id,
    agent,
    said,
    address: server,
    /** Asks for a terminal and looks at it through a window. */
    async open(person: Person = house.owner) {
      const { body } = await person.call(openTerminal, { params: { asset_id }, body: { cols: 80, rows: 24 } })
      return { id: body.id, window: await openWindow(server, person, body.id) }
    },
    async [Symbol.asyncDispose]() {
      await agent.stop()
      await house[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type TerminalHouse = Awaited<ReturnType<typeof openTerminalHouse>>

type Words = z.output<typeof ToBrowser>

/** A window of somebody on a session, as the console opens it. */
export async function openWindow(
  address: string,
  person: Pick<Person, 'cookie'>,
  id: string,
  { client = 'one', from, origin = address, takes = true }: { client?: string; from?: number; origin?: string; takes?: boolean } = {}
) {
  const query = new URLSearchParams({ client, ...(from !== undefined && { from: String(from) }) })
  const socket = new WebSocket(`${address.replace('http', 'ws')}/v1/terminal-sessions/${id}/socket?${query.toString()}`, {
    headers: { cookie: person.cookie, origin },
    perMessageDeflate: false,
  })
  const chunks: Buffer[] = []
  const words: Words[] = []
  let [place, acknowledged, status] = [0, 0, 101]
  let wake = () => {}
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      chunks.push(data)
      place += data.length
      if (takes && place - acknowledged >= takenEach / 4) say({ t: 'taken', at: (acknowledged = place) })
    } else {
      const said = readFrame(ToBrowser, data.toString())!
      words.push(said)
      if (said.t === 'from') place = acknowledged = said.at
    }
    wake()
  })
  socket.on('unexpected-response', (_request, answer) => {
    status = answer.statusCode ?? 0
    socket.terminate()
  })
  socket.on('error', () => {})
  socket.on('close', () => wake())
  const say = (frame: z.input<typeof FromBrowser>) => socket.send(JSON.stringify(frame))
  // Not `once` of node:events: a refusal is an error, and an answer all the same.
  await new Promise<void>((resolve) => void socket.once('open', resolve).once('close', () => resolve()))
  const until = async <T>(find: () => T | undefined | false): Promise<T> => {
    for (;;) {
      const found = find()
      if (found !== undefined && found !== false) return found
      if (socket.readyState === WebSocket.CLOSED)
        throw new Error(`The window closed: ${JSON.stringify(words.at(-1))}, ${text().slice(-200)}`)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const bytes = () => Buffer.concat(chunks)
  const text = () => bytes().toString()
  return {
    socket,
    words,
    status: () => status,
    place: () => place,
    bytes,
    text,
    say,
    type: (keys: string) => socket.send(Buffer.from(keys)),
    typeBytes: (bytes: Uint8Array) => socket.send(bytes),
    shows: (part: string | RegExp) => until(() => (typeof part === 'string' ? text().includes(part) : part.test(text()))),
    message: <T extends Words['t']>(t: T, is: (said: Extract<Words, { t: T }>) => boolean = () => true) =>
      until(() => words.find((said) => said.t === t && is(said as never)) as Extract<Words, { t: T }> | undefined),
    closed: () =>
      socket.readyState === WebSocket.CLOSED ? Promise.resolve() : new Promise<void>((resolve) => socket.once('close', () => resolve())),
  }
}

/**
 * What has to come within two seconds: waits for it five times as long, since a busy machine is that slow at times and one that is never asked again is far
 * slower. Throws in words otherwise.
 */
export async function soon<T>(what: string, coming: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(`${what}: not within 10 s`)), 10_000)))
  return Promise.race([coming, late]).finally(() => clearTimeout(timer))
}
