import { createHash } from 'node:crypto'
import { namesNone } from '@masthead/contract/backoffice/quarantine-operations'
import { newId } from '@masthead/contract/kernel/id'
import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'
import { addJob } from '../kernel/jobs/jobs.ts'
import { imsiOfUserName } from './meter-sims.ts'
import { byUse, type Said } from './quarantined-uses.ts'
import type { Reading, SessionReading } from './reading.ts'

/** Why accounting could not be counted. */
const quarantineReasons = {
  unknown: 'No SIM has this number',
  stock: 'The SIM is in stock and not registered to an account',
  unstorable: 'The packet could not be stored',
  impossible: 'It reported more bytes than any link carries in that time',
  before_records: 'The session began before all that is kept: it was counted then, or the clock of its gateway is years behind',
  before_gateway: 'The session began before its gateway was added, or before the address that it reports from was',
  before_sim: 'The session began before the SIM was registered',
  counted_by_feed: 'The session ran while a feed of records counted for the SIM',
  elsewhere: 'This session is open at another gateway: join these two gateways?',
  another_sim: 'The session of this id is another SIM’s: do two gateways give the same name and the same ids?',
  was_elsewhere: 'Another gateway counted this session until it was over there: join these two gateways?',
} as const
export type QuarantineReason = keyof typeof quarantineReasons

/** What can be done about a row: match it to a SIM; count what was left out of its session; nothing, for it was counted elsewhere or holds no usage. */
const kindOf: Record<QuarantineReason, 'unknown' | 'uncounted' | 'elsewhere' | 'unstorable'> = {
  unknown: 'unknown',
  stock: 'unknown',
  unstorable: 'unstorable',
  before_records: 'unknown',
  impossible: 'uncounted',
  before_gateway: 'uncounted',
  before_sim: 'uncounted',
  counted_by_feed: 'uncounted',
  elsewhere: 'elsewhere',
  was_elsewhere: 'elsewhere',
  another_sim: 'unknown',
}

/** A reading of a SIM that we know and did not count, and why. `session`: whose bytes they are. */
export type SetAside = {
  reading: SessionReading
  reason: 'impossible' | 'before_gateway' | 'before_sim' | 'counted_by_feed' | 'elsewhere' | 'was_elsewhere' | 'another_sim'
  session: { account_id: string; id: string } | null
  up: number
  down: number
}

const imsiOf = ({ imsi, user_name }: Reading) => imsi ?? imsiOfUserName(user_name)

/** A key holds some 2,700 octets, and octets that cannot be printed take four each: what is longer is told apart by a digest. */
const longest = 200
function identityWords({ imsi, msisdn, user_name }: Reading): string {
  const words = imsi ?? msisdn ?? user_name ?? namesNone
  if (words.length <= longest) return words
  return `${words.slice(0, longest - 70)}… ${createHash('sha256').update(words).digest('hex')}`
}

/**
 * Keeps accounting of SIMs that nobody has registered, or of another `reason`: one row per session, its counters at their highest. What staff have matched to a SIM
 * meanwhile is counted again, with what is new of it.
 */
export async function quarantineReadings(tx: Tx, readings: readonly SessionReading[], reason?: 'before_records'): Promise<void> {
  const imsis = new Set(readings.flatMap((reading) => imsiOf(reading) ?? []))
  const { rows: stock } = await sql<{ imsi: string }>`select i.imsi from unnest(${[...imsis]}::text[]) as i(imsi)
    where exists (select from inventory where imsis @> array[i.imsi] and asset_id is null)`.execute(tx)
  const inStock = new Set(stock.map((row) => row.imsi))
  const rows = readings.map((reading) => rowOf(reading, reason ?? (inStock.has(imsiOf(reading) ?? '') ? 'stock' : 'unknown')))
  const matched = matchedAmong(await keepAll(tx, await byUse(tx, rows)))
  if (matched.length > 0) await addJob(tx, 'count_quarantined', { quarantine_ids: matched })
}

const matchedAmong = (kept: Awaited<ReturnType<typeof keepAll>>) => kept.flatMap(({ id, state }) => (state === 'matched' ? [id] : []))

/**
 * Keeps what was reported of known SIMs and not counted: one row per session, with the bytes that staff may have counted. Of numbers that staff have matched it is
 * counted again; what is set aside in spite of that is theirs to decide anew, or it would be counted and set aside for ever.
 */
export async function quarantineSetAside(tx: Tx, setAside: readonly SetAside[]): Promise<void> {
  const rows = setAside.map(({ reading, reason, session, up, down }) => ({
    ...rowOf(reading, reason),
    account_id: session?.account_id ?? null,
    session_id: session?.id ?? null,
    use: session?.id ?? '',
    counter_up: up,
    counter_down: down,
  }))
  const matched = matchedAmong(await keepAll(tx, await byUse(tx, rows)))
  if (matched.length === 0) return
  const isDecided = setAside.some(({ reading }) => reading.is_matched)
  if (isDecided) await tx.updateTable('quarantine').set(undecided).where('id', 'in', matched).execute()
  else await addJob(tx, 'count_quarantined', { quarantine_ids: matched })
}

const undecided = { state: 'open' as const, resolved_at: null, resolved_by: null, resolve_reason: null }

/** In one order everywhere, so that two meters never wait for each other in a circle. */
function keepAll(tx: Tx, all: readonly Row[]) {
  const rows = new Map<string, Row>()
  for (const next of all) {
    const key = JSON.stringify([next.gateway_id, next.nas, next.acct_session_id, next.identity, next.kind, next.use])
    const before = rows.get(key)
    rows.set(key, before ? merge(before, next) : next)
  }
  return Promise.all([...rows.keys()].sort().map((key) => keep(tx, rows.get(key)!)))
}

/** Keeps one reading that the database refused, with the words of its refusal. */
export async function quarantineUnstorable(tx: Tx, reading: Reading, error: unknown): Promise<void> {
  const { reading: _, ...row } = rowOf(reading, 'unstorable')
  const reason = `${row.reason}: ${error instanceof Error ? error.message : String(error)}`
  await keep(tx, { ...row, reason, counter_up: 0, counter_down: 0, mccmnc: null, rat: null })
}

const rowOf = <Any extends Reading>(reading: Any, reason: QuarantineReason) => ({
  reading,
  id: newId('quarantine', reading.received_at),
  kind: kindOf[reason],
  reason: quarantineReasons[reason] as string,
  account_id: null as string | null,
  session_id: null as string | null,
  use: '',
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
type Row = Omit<ReturnType<typeof rowOf>, 'reading'> & Partial<Said>

/** What was left out of a session is reported anew each time; of others the highest counters stand. */
const merge = (before: Row, next: Row): Row => ({
  ...next,
  id: before.id,
  first_at: before.first_at,
  packets: before.packets + 1,
  ...(next.kind !== 'uncounted' && {
    counter_up: Math.max(before.counter_up, next.counter_up),
    counter_down: Math.max(before.counter_down, next.counter_down),
  }),
})

const keep = (tx: Tx, row: Row) =>
  tx
    .insertInto('quarantine')
    .values(row)
    .onConflict((conflict) =>
      conflict.constraint('quarantine_key').doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        account_id: eb.ref('excluded.account_id'),
        session_id: eb.ref('excluded.session_id'),
        last_at: eb.ref('excluded.last_at'),
        packets: sql<number>`quarantine.packets + excluded.packets`,
        counter_up: highest('counter_up'),
        counter_down: highest('counter_down'),
        mccmnc: sql<string | null>`coalesce(excluded.mccmnc, quarantine.mccmnc)`,
        rat: sql<string | null>`coalesce(excluded.rat, quarantine.rat)`,
        last_packet: eb.ref('excluded.last_packet'),
        counted_at: null,
        // What was decided was of what there was then. Whose SIM it is stays known.
        ...(row.kind !== 'unknown' && undecided),
      }))
    )
    .returning(['id', 'state'])
    .executeTakeFirstOrThrow()

/** Once what there was is counted, the session's own counters are the highest; what comes may be of another session under its id. */
const highest = (
  counter: 'counter_up' | 'counter_down'
) => sql<number>`case when quarantine.counted_at is null and quarantine.kind <> 'uncounted'
  then greatest(${sql.ref(`quarantine.${counter}`)}, ${sql.ref(`excluded.${counter}`)}) else ${sql.ref(`excluded.${counter}`)} end`
