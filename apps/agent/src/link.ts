import { connect, type MqttClient } from 'mqtt'
import { backOff } from './back-off.ts'
import { openOutbox } from './outbox.ts'

export type Login = { urls: readonly string[]; device_id: string; token: string }
type Given = {
  login: Login
  topics: readonly string[]
  random: () => number
  onMessage: (topic: string, payload: Buffer) => void
  onUp: () => void
  say: (words: string) => void
}

const connectWaits = 20_000 // ms
const keepalive = 60 // s

/** The connection to the server, for as long as the agent runs. What is sent waits until the server has acknowledged it. */
export function openLink({ login, topics, random, onMessage, onUp, say }: Given) {
  const outbox = openOutbox()
  const waits = backOff(random)
  let client: MqttClient | undefined
  let up = false
  let stopped = false
  let tries = 0
  let timer: NodeJS.Timeout | undefined
  let sending = false
  let onEmpty: (() => void)[] = []

  function open() {
    const url = login.urls[tries++ % login.urls.length]!
    let since = 0
    const mine = connect(url, {
      clientId: login.device_id,
      username: login.device_id,
      password: login.token,
      protocolVersion: 4,
      clean: true,
      keepalive,
      connectTimeout: connectWaits,
      reconnectPeriod: 0,
      queueQoSZero: false,
      ...(url.startsWith('ws') && { forceNativeWebSocket: true }),
    })
    client = mine
    mine.on('connect', () => {
      since = Date.now()
      mine.subscribe(Object.fromEntries(topics.map((topic) => [topic, { qos: 1 as const }])), (error) => {
        if (error) return void mine.end(true)
        up = true
        say(`Connected to ${url}`)
        onUp()
        void send()
      })
    })
    mine.on('message', (topic, payload) => onMessage(topic, payload))
    mine.on('error', (error) => say(`${url}: ${error.message || 'no connection'}`))
    mine.once('close', () => {
      up = false
      waits.was(since ? Date.now() - since : 0)
      mine.end(true)
      if (stopped) return
      const wait = waits.next()
      timer = setTimeout(open, wait)
    })
  }

  /** One after the other: what was sent last may be read last. */
  async function send(): Promise<void> {
    if (sending) return
    sending = true
    try {
      for (let letter = outbox.first(); up && letter; letter = outbox.first()) {
        await client!.publishAsync(letter.topic, letter.text, { qos: 1 })
        outbox.done(letter)
      }
    } catch {
      // It is sent again by the next connection.
    } finally {
      sending = false
      if (!outbox.first()) for (const each of onEmpty.splice(0)) each()
    }
  }

  open()
  return {
    /** `replaces`: whatever is still unsent of this topic is not worth sending any more. */
    send(topic: string, message: unknown, { replaces = false } = {}): void {
      outbox.put({ topic, text: JSON.stringify(message), replaces })
      if (up) void send()
    },
    isUp: () => up,
    waiting: () => outbox.size(),
    /** Once all is acknowledged, or after so many ms. */
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
      await client?.endAsync(!up).catch(() => undefined)
    },
  }
}

export type Link = ReturnType<typeof openLink>
