import pg from 'pg'

/** Made by triggers: `due DEVICE_ID`, there is something to publish to it; `cut DEVICE_ID`, its connection ends; `moved DEVICE_ID TS BROKER`, it was born there. */
const channel = 'masthead_devices'
const again = 500 // ms

type Receivers = {
  due: (device_id: string) => void
  cut: (device_id: string) => void
  /** `ts`: of its birth, seconds since 1970. */
  moved: (device_id: string, to: { broker: string; ts: number }) => void
  /** Something may have been missed. */ missed: () => void
}

/** Listens to what the database says of devices, and comes back when it was away. */
export class Notices {
  #url: string
  #receivers: Receivers
  #client: pg.Client | undefined
  #stopped = false

  constructor(url: string, receivers: Receivers) {
    this.#url = url
    this.#receivers = receivers
  }

  async start(): Promise<void> {
    // A connection that says nothing for long may be dropped on its way, without a word to either end.
    const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
    const client = new pg.Client({ connectionString: this.#url, application_name: 'masthead broker notices', ...alive })
    const comeBack = () => {
      this.#client = undefined
      if (!this.#stopped) setTimeout(() => void this.start(), again).unref()
    }
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => {
      const [word, device_id = '', ts = '', ...broker] = payload.split(' ')
      if (word === 'due') this.#receivers.due(device_id)
      else if (word === 'cut') this.#receivers.cut(device_id)
      else if (word === 'moved') this.#receivers.moved(device_id, { broker: broker.join(' '), ts: Number(ts) })
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      this.#client = client
      client.on('end', comeBack)
      this.#receivers.missed()
    } catch {
      client.removeAllListeners('end')
      await client.end().catch(() => {})
      comeBack()
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#client?.end().catch(() => {})
  }
}
