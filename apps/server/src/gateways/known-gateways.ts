import { isIPv6, SocketAddress } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { checkSecret } from '@masthead/radius/authenticator'
import type { AppDb } from '../kernel/app.ts'
import { decryptGatewaySecret } from './gateway-rows.ts'
import { past } from './times-ahead.ts'

/** The NOTIFY channel of the triggers on `gateway` and `gateway_address`. */
const channel = 'masthead_gateways'
const refreshEvery = 5000 // ms; NOTIFY is faster, but may be missed
const heardEvery = 10_000
const sayEvery = 3_600_000 // ms: that a secret cannot be used

/** A gateway as it speaks from one of its addresses: `secret` and `legacy` are of the address alone. */
export type Gateway = { id: string; name: string; address_id: string; address: string; secret: Buffer; legacy: boolean }

/** The gateways by their addresses, as the database has them now or had them when it was last there. */
export class Gateways {
  #db: AppDb
  #url: string
  #log: Logger
  #byAddress = new Map<string, Gateway>()
  #received = new Map<string, { at: number; packets: number }>()
  /** Secrets that cannot be used, by address, and when (`performance.now`) that was logged. */
  #unusable = new Map<string, { kept: string; said_at: number }>()
  #timers: NodeJS.Timeout[] = []
  #listener: pg.Client | undefined
  #stopped = false

  constructor({ db, databaseUrl, log }: { db: AppDb; databaseUrl: string; log: Logger }) {
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
        quietly(() => this.saveReceived()),
        heardEvery
      ),
    ]
    await this.#listen()
  }

  byAddress(address: string): Gateway | undefined {
    return this.#byAddress.get(address)
  }

  /** Remembers that a gateway spoke from an address; written now and then. */
  received({ address_id }: Pick<Gateway, 'address_id'>, at: number, packets = 1) {
    const received = this.#received.get(address_id)
    if (!received) this.#received.set(address_id, { at, packets })
    else {
      received.at = Math.max(past(received.at, at), at)
      received.packets += packets
    }
  }

  async refresh(): Promise<void> {
    const rows = await this.#db
      .selectFrom('gateway_address as a')
      .innerJoin('gateway as g', 'g.id', 'a.gateway_id')
      .select(['g.id', 'g.name', 'a.id as address_id', 'a.address', 'a.secret', 'a.legacy'])
      .where('g.disabled_at', 'is', null)
      .execute()
    this.#byAddress = new Map(
      rows.flatMap((row) => {
        const secret = this.#opened(row)
        return secret ? [[row.address, { ...row, secret }] as const] : []
      })
    )
    const ids = new Set(rows.map(({ address_id }) => address_id))
    for (const id of this.#unusable.keys()) if (!ids.has(id)) this.#unusable.delete(id)
  }

  /** One that cannot be used silences its address alone. The log has it at once, and hourly. */
  #opened({ address_id, name, address, secret: kept }: Omit<Gateway, 'secret'> & { secret: string }): Buffer | null {
    try {
      const secret = Buffer.from(decryptGatewaySecret(this.#db, address_id, kept))
      checkSecret(secret)
      this.#unusable.delete(address_id)
      return secret
    } catch (error) {
      const [said, now] = [this.#unusable.get(address_id), performance.now()]
      if (said?.kept === kept && now - said.said_at < sayEvery) return null
      this.#unusable.set(address_id, { kept, said_at: now })
      this.#log.error({ err: error, gateway: name, address }, 'the secret of a gateway cannot be used: its packets are dropped')
      return null
    }
  }

  async saveReceived(): Promise<void> {
    if (this.#received.size === 0) return
    const saved = this.#received
    this.#received = new Map()
    const received = [...saved.values()]
    const [ids, times, packets] = [[...saved.keys()], received.map((each) => each.at), received.map((each) => each.packets)]
    const keep = sql`update gateway_address a set packets = a.packets + h.packets,
      heard_at = case when a.heard_at > h.at + interval '1 day' then h.at else greatest(a.heard_at, h.at) end
      from (select id, to_timestamp(ms / 1000) as at, packets from unnest(${ids}::text[], ${times}::float8[], ${packets}::bigint[]) as each(id, ms, packets)) h
      where a.id = h.id`
    try {
      await this.#db.transaction().execute((tx) => keep.execute(tx))
    } catch (error) {
      for (const [address_id, { at, packets }] of saved) this.received({ address_id }, at, packets)
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#listener?.end().catch(() => {})
    await this.saveReceived().catch(() => {})
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

/** An address as somebody writes it, as packets from there are known by: it may say IPv4 in IPv6's figures. Only for what is an IP address. */
export const addressHeard = (written: string): string =>
  plainAddress(isIPv6(written) ? new SocketAddress({ address: written, family: 'ipv6' }).address : written)
