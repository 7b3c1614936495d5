import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { checkSecret } from '@masthead/radius/authenticator'
import type { Db } from '../kernel/app.ts'
import { isSealed, openSecret, sealSecret } from '../kernel/secret-keys.ts'

/** The NOTIFY channel of a trigger on `gateway`. */
const channel = 'masthead_gateways'
const refreshEvery = 5000 // ms; NOTIFY is faster, but may be missed
const heardEvery = 10_000

export type Gateway = { id: string; name: string; address: string; secret: Buffer; legacy: boolean }

const placeOf = (id: string) => `gateway ${id}`
/** A gateway's secret as it is kept: RADIUS needs it as it is. */
export const sealGatewaySecret = (id: string, secret: string) => sealSecret(placeOf(id), secret)
/** It again; one from before they were sealed is in clear. Throws SecretKeysMissing. */
export const openGatewaySecret = (id: string, kept: string) => (isSealed(kept) ? openSecret(placeOf(id), kept) : kept)

/** The gateways by their addresses, as the database has them now or had them when it was last there. */
export class Gateways {
  #db: Db
  #url: string
  #log: Logger
  #byAddress = new Map<string, Gateway>()
  #heard = new Map<string, { at: number; packets: number }>()
  #timers: NodeJS.Timeout[] = []
  #listener: pg.Client | undefined
  #stopped = false

  constructor({ db, databaseUrl, log }: { db: Db; databaseUrl: string; log: Logger }) {
    this.#db = db
    this.#url = databaseUrl
    this.#log = log
  }

  /** Loads them, and keeps up with changes until stopped. */
  async start(): Promise<void> {
    await this.refresh()
    const quietly = (work: () => Promise<void>) => () => void work().catch(() => {})
    this.#timers = [
      setInterval(
        quietly(() => this.refresh()),
        refreshEvery
      ),
      setInterval(
        quietly(() => this.saveHeard()),
        heardEvery
      ),
    ]
    await this.#listen()
  }

  byAddress(address: string): Gateway | undefined {
    return this.#byAddress.get(address)
  }

  /** Remembers that a gateway spoke; written now and then. */
  heard({ id }: Pick<Gateway, 'id'>, at: number, packets = 1) {
    const heard = this.#heard.get(id)
    if (!heard) this.#heard.set(id, { at, packets })
    else {
      heard.at = Math.max(heard.at, at)
      heard.packets += packets
    }
  }

  async refresh(): Promise<void> {
    const rows = await this.#db
      .selectFrom('gateway')
      .select(['id', 'name', 'address', 'secret', 'legacy'])
      .where('disabled_at', 'is', null)
      .execute()
    this.#byAddress = new Map(
      rows.flatMap((row) => {
        const secret = this.#opened(row)
        return secret ? [[row.address, { ...row, secret }] as const] : []
      })
    )
  }

  /** One that cannot be used silences its gateway alone. */
  #opened({ id, name, secret: kept }: { id: string; name: string; secret: string }): Buffer | null {
    try {
      const secret = Buffer.from(openGatewaySecret(id, kept))
      checkSecret(secret)
      return secret
    } catch (error) {
      this.#log.error({ err: error, gateway: name }, 'the secret of a gateway cannot be used: its packets are dropped')
      return null
    }
  }

  async saveHeard(): Promise<void> {
    if (this.#heard.size === 0) return
    const saved = this.#heard
    this.#heard = new Map()
    const heard = [...saved.values()]
    const [ids, times, packets] = [[...saved.keys()], heard.map((each) => each.at), heard.map((each) => each.packets)]
    try {
      await sql`update gateway g set heard_at = greatest(g.heard_at, to_timestamp(h.at / 1000)), packets = g.packets + h.packets
        from unnest(${ids}::text[], ${times}::float8[], ${packets}::bigint[]) as h(id, at, packets) where g.id = h.id`.execute(this.#db)
    } catch (error) {
      for (const [id, { at, packets }] of saved) this.heard({ id }, at, packets)
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#listener?.end().catch(() => {})
    await this.saveHeard().catch(() => {})
  }

  async #listen(): Promise<void> {
    if (this.#stopped) return
    const client = new pg.Client({ connectionString: this.#url, application_name: 'masthead meter gateways' })
    const again = () => {
      this.#listener = undefined
      if (!this.#stopped) setTimeout(() => void this.#listen(), 500).unref()
    }
    client.on('error', () => {})
    client.on('notification', () => void this.refresh().catch((error: unknown) => this.#log.warn({ err: error }, 'gateways not read')))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      this.#listener = client
      client.on('end', again)
      await this.refresh() // what changed while nobody listened
    } catch {
      client.removeAllListeners('end') // tried again once, not twice
      await client.end().catch(() => {})
      again()
    }
  }
}

/** Node's address of a sender as PostgreSQL writes it: IPv4 in IPv6 clothing is IPv4, and a zone is no part of it. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '')
