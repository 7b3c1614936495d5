import { newId } from '@masthead/contract/kernel/id'
import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'
import { addJob } from '../kernel/jobs.ts'
import { imsiOfUserName } from './meter-sims.ts'
import type { Reading } from './reading.ts'

/** Why accounting could not be counted. */
export const quarantineReasons = {
  unknown: 'No SIM has this number',
  stock: 'The SIM is in stock and not registered to an account',
  unstorable: 'The packet could not be stored',
} as const

const imsiOf = ({ imsi, user_name }: Reading) => imsi ?? imsiOfUserName(user_name)
const identityWords = ({ imsi, msisdn, user_name }: Reading) => imsi ?? msisdn ?? user_name ?? 'none'

/**
 * Keeps accounting of SIMs that nobody has registered: one row per session, its counters at their highest. What staff have matched to a SIM
 * meanwhile is counted again, with what is new of it.
 */
export async function quarantineReadings(tx: Tx, readings: readonly Reading[]): Promise<void> {
  const imsis = new Set(readings.flatMap((reading) => imsiOf(reading) ?? []))
  const { rows: stock } = await sql<{ imsi: string }>`select i.imsi from unnest(${[...imsis]}::text[]) as i(imsi)
    where exists (select from inventory where imsis @> array[i.imsi] and asset_id is null)`.execute(tx)
  const inStock = new Set(stock.map((row) => row.imsi))
  const rows = new Map<string, ReturnType<typeof rowOf>>()
  for (const reading of readings) {
    const next = rowOf(reading, inStock.has(imsiOf(reading) ?? '') ? quarantineReasons.stock : quarantineReasons.unknown)
    const key = JSON.stringify([next.nas, next.acct_session_id, next.identity])
    const before = rows.get(key)
    rows.set(key, before ? merge(before, next) : next)
  }
  const kept = await Promise.all([...rows.keys()].sort().map((key) => keep(tx, rows.get(key)!)))
  const matched = kept.filter(({ state }) => state === 'matched').map(({ id }) => id)
  if (matched.length > 0) await addJob(tx, 'count_quarantined', { quarantine_ids: matched })
}

/** Keeps one reading that the database refused, with the words of its refusal. */
export async function quarantineUnstorable(tx: Tx, reading: Reading, error: unknown): Promise<void> {
  const row = rowOf(reading, `${quarantineReasons.unstorable}: ${error instanceof Error ? error.message : String(error)}`)
  await keep(tx, { ...row, counter_up: 0, counter_down: 0, mccmnc: null, rat: null })
}

const rowOf = (reading: Reading, reason: string) => ({
  id: newId('quarantine', reading.received_at),
  reason,
  gateway_id: reading.gateway_id,
  nas: reading.nas,
  acct_session_id: reading.acct_session_id,
  identity: identityWords(reading),
  imsi: reading.imsi,
  msisdn: reading.msisdn,
  user_name: reading.user_name,
  first_at: new Date(reading.received_at),
  last_at: new Date(reading.received_at),
  packets: 1,
  counter_up: reading.counter_up ?? 0,
  counter_down: reading.counter_down ?? 0,
  mccmnc: reading.mccmnc,
  rat: reading.rat,
  last_packet: JSON.stringify(reading),
})
type Row = ReturnType<typeof rowOf>

const merge = (before: Row, next: Row): Row => ({
  ...next,
  id: before.id,
  first_at: before.first_at,
  packets: before.packets + 1,
  counter_up: Math.max(before.counter_up, next.counter_up),
  counter_down: Math.max(before.counter_down, next.counter_down),
})

const keep = (tx: Tx, row: Row) =>
  tx
    .insertInto('quarantine')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['nas', 'acct_session_id', 'identity']).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        last_at: eb.ref('excluded.last_at'),
        packets: sql<number>`quarantine.packets + excluded.packets`,
        counter_up: highest('counter_up'),
        counter_down: highest('counter_down'),
        mccmnc: sql<string | null>`coalesce(excluded.mccmnc, quarantine.mccmnc)`,
        rat: sql<string | null>`coalesce(excluded.rat, quarantine.rat)`,
        last_packet: eb.ref('excluded.last_packet'),
        counted_at: null,
      }))
    )
    .returning(['id', 'state'])
    .executeTakeFirstOrThrow()

/** Once what there was is counted, the session's own counters are the highest; what comes may be of another session under its id. */
const highest = (counter: 'counter_up' | 'counter_down') => sql<number>`case when quarantine.counted_at is null
  then greatest(${sql.ref(`quarantine.${counter}`)}, ${sql.ref(`excluded.${counter}`)}) else ${sql.ref(`excluded.${counter}`)} end`
