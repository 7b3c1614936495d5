import { readFileSync } from 'node:fs'
import { connect, type MqttClient } from 'mqtt'
import {
  agentClientId,
  agentTopics,
  Directive,
  mostReportBytes,
  reportOf,
  type AgentSection,
  type Answer,
  type Command,
  type LogParts,
  type ReportedState,
  type Vitals,
} from '@masthead/contract/devices/agent/messages'
import type { ReportedNetwork } from '@masthead/contract/devices/network/reported'
import { backOff } from './back-off.ts'
import { openOutbox } from './outbox.ts'
import { isUntrusted, whyNoConnection } from './trust.ts'

/**
 * `urls`: of the broker, the next where one does not answer; `url` alone unless said. `ca`: PEM of certificates of the broker, as the server gave them.
 * `certificate`: files of one by which it signs in, and of its key.
 */
export type Login = {
  url: string
  urls?: readonly string[]
  device_id: string
  token: string
  ca?: string | undefined
  certificate?: { cert: string; key: string } | undefined
}
type Given = {
  login: Login
  random: () => number
  now: () => Date
  /** Something else is wanted. */
  onLook: () => void
  onCommand: (command: Command) => void
  onUp: () => void
  /** The broker is not reached, and was not the last times either. */
  onAway: () => void
  /** The server has stored a report of this section. */
  onStored: (section: string) => void
  say: (words: string) => void
}

const connectWaits = 20_000 // ms
const keepalive = 60 // s
/** What is not acknowledged by then is sent again. */
const storedWithin = 20_000 // ms
/** Rounds over all ways that fail before the broker counts as away: where it is started anew, not all devices ask the server besides. */
const awayAfter = 3
/** Before the next way is tried, up to so long: the wait that grows is for a broker that no way leads to. */
const nextWayWithin = 1000 // ms

/** The connection to the broker, for as long as the agent runs. What is reported waits until the server says that it is stored. */
export function openLink({ login, random, now, onLook, onCommand, onUp, onAway, onStored, say }: Given) {
  const topics = agentTopics(login.device_id)
  const outbox = openOutbox()
  const waits = backOff(random)
  const urls = login.urls?.length ? login.urls : [login.url]
  let ca = login.ca
  function readOwn() {
    const { certificate } = login
    try {
      return certificate && { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) }
    } catch (error) {
      say(`The certificate of this device cannot be read, so it signs in with its token: ${(error as Error).message}`)
      return undefined
    }
  }
  /**
   * By TLS once as anybody would, and once with the broker's own certificate, which stands for itself: it may name the broker by another name. With a
   * certificate of this device, and where that is not taken, with its token.
   */
  const ways = (): { url: string; tls?: { cert?: Buffer; key?: Buffer; ca?: string; checkServerIdentity?: () => undefined } }[] =>
    urls.flatMap((url) => {
      if (!url.startsWith('mqtts:')) return [{ url }]
      const own = readOwn()
      return [own, ...(own ? [undefined] : [])].flatMap((mine) => [
        { url, tls: { ...mine } },
        ...(ca ? [{ url, tls: { ...mine, ca, checkServerIdentity: () => undefined } }] : []),
      ])
    })
  let at = 0
  let client: MqttClient | undefined
  let up = false
  let stopped = false
  let failures = 0
  let seq = -1
  /** What this connection's birth and death say. */
  let life = ''
  let mids = 0
  let timer: NodeJS.Timeout | undefined
  let sending = false
  let acknowledged: (() => void) | undefined
  const onEmpty: (() => void)[] = []

  function open() {
    let since = 0
    seq = (seq + 1) % 256
    life = JSON.stringify({ seq, ts: now().getTime() / 1000 })
    const all = ways()
    const { url, tls } = all[at % all.length]!
    // The next way may trust what this one does not.
    const isTriedOtherwise = all[(at % all.length) + 1]?.url === url
    let why = ''
    const failed = (error: Error) => {
      if (isTriedOtherwise && isUntrusted(error)) return
      const words = whyNoConnection(error, now())
      if (words !== why) say(`${url}: ${words}`)
      why = words
    }
    const mine = connect(url, {
      clientId: agentClientId(login.device_id),
      username: login.device_id,
      ...tls,
      // A certificate says who it is: the token need not be said.
      ...(!tls?.cert && { password: login.token }),
      protocolVersion: 4,
      clean: true,
      keepalive,
      connectTimeout: connectWaits,
      reconnectPeriod: 0,
      queueQoSZero: false,
      will: { topic: topics.death, payload: Buffer.from(life), qos: 1, retain: false },
    })
    client = mine
    mine.on('connect', () => {
      since = performance.now()
      mine.publish(topics.birth, life, { qos: 1 })
      mine.subscribe(topics.directives, { qos: 1 }, (error) => {
        if (error) return void mine.end(true)
        up = true
        say(`Connected to ${url}`)
        onUp()
        void send()
      })
    })
    mine.on('message', (_topic, payload) => hear(payload))
    mine.on('error', failed)
    // The client keeps to itself what has no code, like an answer that is no WebSocket.
    mine.stream.on('error', failed)
    mine.once('close', () => {
      up = false
      acknowledged?.()
      waits.was(since ? performance.now() - since : 0)
      if (!since) at++
      const isRoundOver = at % all.length === 0
      failures = since ? 0 : failures + (isRoundOver ? 1 : 0)
      mine.end(true)
      if (stopped) return
      timer = setTimeout(open, since || isRoundOver ? waits.next() : random() * nextWayWithin)
      // Once a round: the ways of one follow each other within seconds.
      if (isRoundOver && failures >= awayAfter) onAway()
    })
  }

  function hear(payload: Buffer) {
    const directive = readDirective(payload)
    if (!directive) return say('A message of the server was not understood')
    if (directive.command === 'look') onLook()
    else if (directive.command === 'run') onCommand(directive.data)
    else {
      const letter = outbox.first()
      if (letter?.mid !== directive.data) return
      outbox.done(directive.data)
      acknowledged?.()
      onStored(letter.section)
    }
  }

  /** One after the other, in order: of a section the newest is what counts. */
  async function send(): Promise<void> {
    if (sending) return
    sending = true
    try {
      for (let letter = outbox.first(); up && letter; letter = outbox.first()) {
        const stored = new Promise<void>((resolve) => {
          acknowledged = resolve
          setTimeout(resolve, storedWithin).unref()
        })
        await client!.publishAsync(topics.hive, letter.text, { qos: 1 })
        await stored
      }
    } catch {
      // It is sent again by the next connection.
    } finally {
      sending = false
      acknowledged = undefined
      if (!outbox.first()) for (const each of onEmpty.splice(0)) each()
    }
  }

  open()
  return {
    /** `replaces`: whatever is still unsent of this section is not worth sending any more. */
    send(section: AgentSection, message: Vitals | ReportedState | ReportedNetwork | Answer | LogParts, { replaces = false } = {}): void {
      const mid = `${seq}-${++mids}`
      const text = JSON.stringify(reportOf(section, message, mid), storable)
      const bytes = Buffer.byteLength(text)
      // Sent all the same it would end each connection, and nothing else would be stored any more.
      if (bytes > mostReportBytes) return say(`A report (${section}) has ${bytes} bytes, more than the server takes, and is left out`)
      outbox.put({ section, mid, text, replaces })
      if (up) void send()
    },
    /** Certificates of the broker, as the server gives them now. */
    trust: (pem: string | undefined): void => void (ca = pem),
    waiting: () => outbox.size(),
    /** Begins a new connection: the one that is open may lead nowhere any more. */
    renew: (): void => void client?.end(true),
    /** Once all is stored, or after so many ms. */
    emptied: (ms: number): Promise<void> =>
      outbox.first()
        ? new Promise((resolve) => {
            onEmpty.push(resolve)
            setTimeout(resolve, ms)
          })
        : Promise.resolve(),
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      if (up) await client?.publishAsync(topics.death, life, { qos: 1 }).catch(() => undefined)
      await client?.endAsync(!up).catch(() => undefined)
    },
  }
}

/**
 * What containers print may hold NUL, and half a surrogate pair where it was cut: the server stores neither. It never acknowledges what it cannot store, and
 * all else would wait behind that.
 */
const storable = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value)

function readDirective(payload: Buffer): Directive | undefined {
  try {
    const read = Directive.safeParse(JSON.parse(payload.toString()))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}
