import { sql, type RawBuilder } from 'kysely'
import type { Signal } from '@masthead/contract/kernel/live'
import type { Db } from '../app.ts'
import { endWord, liveChannel, type Ending } from './channel.ts'

const notify = (payload: string) => sql`pg_notify(${liveChannel}, ${payload})`
const payloadOf = (to: string, { name, refreshes }: Signal) => `${to} ${name} ${refreshes.join()}`

/**
 * The part of a statement that notifies the open consoles of `to`, once its transaction commits: an account, or a person on whatever account they
 * work. The areas travel with the name, so that a server of another version hands on what it does not know.
 */
export const notifying = (to: string, signal: Signal): RawBuilder<unknown> => notify(payloadOf(to, signal))

/** Notifies the open consoles of accounts, or of persons, of what changed. In a transaction, when it commits. */
export async function publish(db: Db, to: string | readonly string[], signal: Signal): Promise<void> {
  await publishAll(
    db,
    [to].flat().map((each) => [each, signal])
  )
}

/** The same of many signals, in one statement. */
export async function publishAll(db: Db, signals: readonly (readonly [to: string, signal: Signal])[]): Promise<void> {
  const payloads = signals.map((signal) => payloadOf(...signal))
  await sql`select pg_notify(${liveChannel}, payload) from unnest(${payloads}::text[]) as given (payload)`.execute(db)
}

/** Says to every process, once the transaction commits, that streams are to end (streams.ts). */
export async function publishEnd(db: Db, ending: Ending): Promise<void> {
  await sql`select ${notify(`${endWord} ${JSON.stringify(ending)}`)}`.execute(db)
}
