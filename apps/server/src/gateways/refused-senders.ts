import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { RefusedKind } from '@masthead/contract/backoffice/refused-sender-operations'
import type { AppDb } from '../kernel/app.ts'
import { past } from './times-ahead.ts'

/** Senders that are kept, in memory and in the table. */
const mostSenders = 1000
const saveEvery = 10_000 // ms
const minute = 60_000
/** Lines of the log a minute, over all senders: made-up addresses cost nothing, and a log does. */
const mostLines = 100

const words: Record<RefusedKind, string> = {
  unknown_address: 'RADIUS from an address that no gateway in use has is dropped',
  wrong_secret: 'accounting of a gateway with another secret is dropped',
  message_authenticator: 'requests of a gateway with no Message-Authenticator, or a wrong one, are dropped',
  malformed: 'packets of a gateway that cannot be read, or are not for the port that they came to, are dropped',
}

/** `packets`: not saved yet. `unsaid`: not in the log yet. Times are milliseconds. */
type Sender = { address: string; kind: RefusedKind; packets: number; unsaid: number; first_at: number; last_at: number; said_at: number }

/**
 * Remembers who got no answer: the latest senders, saved now and then, with a line of the log a minute for each. A flood of made-up addresses
 * pushes out who was silent longest, and is logged in one line.
 */
export class RefusedSenders {
  #db: AppDb
  #log: Logger
  /** The latest come last. */
  #senders = new Map<string, Sender>()
  #minute = -Infinity
  #lines = 0
  #unnamed = 0
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> | undefined

  constructor({ db, log }: { db: AppDb; log: Logger }) {
    this.#db = db
    this.#log = log
  }

  start() {
    this.#timer = setInterval(() => void this.save().catch(() => {}), saveEvery)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.save().catch(() => {})
  }

  /** A datagram was dropped, at a time in milliseconds. */
  add(address: string, kind: RefusedKind, at: number) {
    const key = `${kind} ${address}`
    const sender = this.#senders.get(key) ?? { address, kind, packets: 0, unsaid: 0, first_at: at, last_at: at, said_at: -Infinity }
    this.#senders.delete(key)
    this.#senders.set(key, sender)
    if (this.#senders.size > mostSenders) this.#senders.delete(this.#senders.keys().next().value!)
    sender.packets++
    sender.unsaid++
    sender.first_at = Math.min(sender.first_at, at)
    sender.last_at = Math.max(past(sender.last_at, at), at)
    if (at - past(sender.said_at, at) >= minute) this.#say(sender, at)
  }

  #say(sender: Sender, at: number) {
    if (at - past(this.#minute, at) >= minute) {
      if (this.#unnamed > 0) this.#log.warn({ packets: this.#unnamed }, 'RADIUS of many more senders was dropped in the minute before')
      this.#minute = at
      this.#lines = 0
      this.#unnamed = 0
    }
    if (this.#lines >= mostLines) return void this.#unnamed++
    this.#lines++
    const { address, kind, unsaid } = sender
    this.#log.warn({ address, packets: unsaid }, words[kind])
    sender.said_at = at
    sender.unsaid = 0
  }

  /** How many are remembered (tests). */
  get size(): number {
    return this.#senders.size
  }

  /** Adds what came since to the table, and takes all but the latest from it. Rejects when the database is away; then it comes next time. */
  save(): Promise<void> {
    return (this.#saving ??= this.#save().finally(() => (this.#saving = undefined)))
  }

  async #save(): Promise<void> {
    const news = [...this.#senders.values()].filter(({ packets }) => packets > 0).map((sender) => ({ sender, ...sender }))
    const now = news.at(-1)?.last_at
    if (now === undefined) return
    await this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('masthead.refused_senders'))`.execute(tx) // meters take turns
      await sql`insert into refused_sender as r (address, kind, packets, first_at, last_at)
        select address, kind, packets, to_timestamp(first_at / 1000), to_timestamp(last_at / 1000)
        from unnest(${news.map(({ address }) => address)}::inet[], ${news.map(({ kind }) => kind)}::text[],
          ${news.map(({ packets }) => packets)}::bigint[], ${news.map(({ first_at }) => first_at)}::float8[],
          ${news.map(({ last_at }) => last_at)}::float8[]) as n(address, kind, packets, first_at, last_at)
        on conflict (address, kind) do update set packets = r.packets + excluded.packets,
          first_at = least(r.first_at, excluded.first_at),
          last_at = case when r.last_at > excluded.last_at + interval '1 day' then excluded.last_at else greatest(r.last_at, excluded.last_at) end`.execute(
        tx
      )
      // What a clock far ahead wrote goes first.
      await sql`delete from refused_sender r using (
          select address, kind from refused_sender
          order by last_at > to_timestamp(${now}::float8 / 1000) + interval '1 day', last_at desc, address, kind offset ${mostSenders}
        ) old where r.address = old.address and r.kind = old.kind`.execute(tx)
    })
    for (const { sender, packets } of news) sender.packets -= packets
  }
}
