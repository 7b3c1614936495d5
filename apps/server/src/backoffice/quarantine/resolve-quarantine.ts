import { sql } from 'kysely'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { usageMatched } from '@masthead/contract/backoffice/events'
import { imsiTaken, quarantineNotCountable, quarantineResolved, sessionOfAnother, simUnknown } from '@masthead/contract/backoffice/problems'
import { namesNone, type matchQuarantine as matchOp } from '@masthead/contract/backoffice/quarantine-operations'
import { quarantineDiscarded } from '@masthead/contract/backoffice/staff-actions'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { acceptUncounted, forgetUncounted } from '../../metering/index.ts'
import { recordStaff } from '../staff/staff-log.ts'
import { lockStaff, needRightsOnThings } from '../staff/staff.ts'
import { holdersOf, whyNotCounted } from './why-not-counted.ts'

/**
 * Says whose SIM quarantined usage was of. It is counted by a job, through the meter's own rules: those let a session count once.
 * Throws not_found, sim_unknown, staff_own_account, staff_may_more, quarantine_resolved, quarantine_not_countable, session_of_another, imsi_taken.
 */
export async function matchQuarantine(
  tx: Tx,
  actor: Actor,
  id: string,
  { sim: named, all_sessions, add_imsi, reason }: Parsed<typeof matchOp>['body']
): Promise<Reply<typeof matchOp>> {
  await lockStaff(tx)
  const { first, rows } = await getOpenForUpdate(tx, id, all_sessions)
  const holders = await holdersOf(
    tx,
    rows.map((row) => row.id)
  )
  for (const row of rows) {
    const held = holders.get(row.id)
    const why = whyNotCounted({ ...row, counted_by: null }, held)
    if (why) throw new Problem(held ? sessionOfAnother : quarantineNotCountable, why)
  }
  const sim = await findSim(tx, named)
  if (!sim) throw new Problem(simUnknown, undefined, { fields: { sim: `No registered SIM has the number ${named}` } })
  await needRightsOnThings(tx, actor, { id: sim.account_id, email: sim.email })
  if (!sim.known && !(add_imsi && first.imsi)) throw new Problem(simUnknown, 'This SIM has neither an IMSI nor an MSISDN to count by')
  const [uncounted, unknown] = [rows.filter((row) => row.kind === 'uncounted'), rows.filter((row) => row.kind !== 'uncounted')]
  for (const { id: row_id, acct_session_id } of unknown) {
    const held = holders.get(row_id)
    if (held && held.sim_id !== sim.sim_id)
      throw new Problem(sessionOfAnother, `Session ${acct_session_id} is counted for SIM ${held.iccid}: match it to this one or discard it`)
  }
  if (add_imsi && first.imsi) await addImsi(tx, sim, first.imsi)
  const ids = rows.map((row) => row.id)
  await resolve(tx, actor, ids, { state: 'matched', reason, sim })
  if (unknown.length > 0) await addJob(tx, 'count_quarantined', { quarantine_ids: unknown.map((row) => row.id) })
  const bytes = bytesOf(unknown) + (await countUncounted(tx, actor, uncounted, sim))
  const { asset_id, asset_name, email } = sim
  await recordStaff(
    tx,
    actor,
    usageMatched,
    { asset_id, asset_name, identity: first.identity, sessions: rows.length, bytes, imsi_added: add_imsi && first.imsi !== null, reason },
    {
      account: { id: sim.account_id, email },
      asset_id,
      target: first.identity,
      reason,
      before: { state: 'open' },
      after: { state: 'matched', iccid: sim.iccid },
    }
  )
  return { sessions: rows.length, bytes, account: email, asset_name }
}

/** Sets quarantined usage aside for good; what was left out of a session is its account's. Throws not_found, staff_own_account, staff_may_more, quarantine_resolved. */
export async function discardQuarantine(
  tx: Tx,
  actor: Actor,
  id: string,
  { all_sessions, reason }: { all_sessions: boolean; reason: string }
): Promise<{ sessions: number }> {
  await lockStaff(tx)
  const { first, rows } = await getOpenForUpdate(tx, id, all_sessions)
  const ids = rows.flatMap(({ account_id }) => account_id ?? [])
  const owners = await tx
    .selectFrom('person')
    .select(['account_id as id', 'email'])
    .where('account_id', '=', sql<string>`any(${ids}::text[])`)
    .execute()
  for (const owner of owners) await needRightsOnThings(tx, actor, owner)
  await resolve(
    tx,
    actor,
    rows.map((row) => row.id),
    { state: 'discarded', reason, sim: null }
  )
  for (const { account_id, session_id } of rows) if (account_id && session_id) await forgetUncounted(tx, { account_id, session_id })
  const detail = { identity: first.identity, sessions: rows.length, bytes: bytesOf(rows) }
  const line = { target: first.identity, reason, before: { state: 'open' }, after: { state: 'discarded' } }
  await recordStaff(tx, actor, quarantineDiscarded, detail, line)
  return { sessions: rows.length }
}

/**
 * Counts what was left out of sessions of a SIM, and answers with how much that was. A session may have rows under several numbers, of which the
 * last alone shows all: nobody accepts more than they saw. Throws session_of_another, quarantine_not_countable.
 */
async function countUncounted(tx: Tx, actor: Actor, rows: readonly Uncounted[], sim: Sim): Promise<number> {
  let bytes = 0
  for (const { id, account_id, session_id, acct_session_id, counter_up, counter_down } of rows) {
    if (account_id === null || session_id === null) continue
    const counted = await acceptUncounted(tx, { account_id, session_id }, actor.at)
    if (counted && counted.sim_id !== sim.sim_id) throw new Problem(sessionOfAnother, `Session ${acct_session_id} is of another SIM`)
    if (counted && (counted.up > counter_up || counted.down > counter_down))
      throw new Problem(
        quarantineNotCountable,
        `Session ${acct_session_id} has reported more since, under another number: see its other rows`
      )
    if (counted) bytes += counted.up + counted.down
    await tx.updateTable('quarantine').set({ counted_at: actor.at }).where('id', '=', id).execute()
  }
  return bytes
}
type Uncounted = {
  id: string
  account_id: string | null
  session_id: string | null
  acct_session_id: string
  counter_up: number
  counter_down: number
}

const bytesOf = (rows: readonly { counter_up: number; counter_down: number }[]) =>
  rows.reduce((sum, row) => sum + row.counter_up + row.counter_down, 0)

/**
 * The session meant and, when all are, the others of the same number and kind that are open: locked, after all sessions that they are of, as the
 * meter locks sessions before everything else (`write-batch.ts`).
 */
async function getOpenForUpdate(tx: Tx, id: string, all: boolean) {
  const meant = await tx.selectFrom('quarantine').select(['identity', 'kind']).where('id', '=', id).executeTakeFirst()
  if (!meant) throw new Problem(notFound)
  // Known SIMs' packets that name no number have nothing in common.
  const isNameless = meant.kind === 'uncounted' && meant.identity === namesNone
  const which = all && !isNameless ? sql<boolean>`identity = ${meant.identity} and kind = ${meant.kind}` : sql<boolean>`id = ${id}`
  await sql`select from data_session where (account_id, id) in (select account_id, session_id from quarantine
      where ${which} and state = 'open' and session_id is not null) order by account_id, id for update`.execute(tx)
  const rows = await tx
    .selectFrom('quarantine')
    .select(['id', 'acct_session_id', 'identity', 'imsi', 'kind', 'counter_up', 'counter_down', 'account_id', 'session_id'])
    .where(which)
    .where('state', '=', 'open')
    .orderBy('id')
    .forUpdate()
    .execute()
  const first = rows.find((row) => row.id === id)
  if (!first) throw new Problem(quarantineResolved)
  return { first, rows }
}

type Sim = { account_id: string; sim_id: string; asset_id: string; asset_name: string; iccid: string; email: string; known: boolean }

/** A registered SIM by ICCID, IMSI, MSISDN or the serial number of its asset. */
async function findSim(tx: Tx, named: string): Promise<Sim | undefined> {
  const iccid = parseIccid(named)
  const digits = named.replaceAll(/[\s+-]/g, '')
  const { rows } = await sql<Sim>`
    select sim.account_id, sim.id as sim_id, sim.asset_id, asset.name as asset_name, sim.iccid, owner.email,
      sim.msisdn is not null or exists (select from sim_imsi i where i.account_id = sim.account_id and i.sim_id = sim.id) as known
    from sim join asset on asset.account_id = sim.account_id and asset.id = sim.asset_id
    join person owner on owner.account_id = sim.account_id
    where (sim.account_id, sim.id) in (
      select account_id, id from sim where iccid = any(${iccid ? iccidForms(iccid) : []}::text[])
      union all select account_id, sim_id from sim_imsi where imsi = ${digits}
      union all select account_id, id from sim where msisdn = ${digits}
      union all select account_id, sim_id from asset where serial = ${named})
    limit 1`.execute(tx)
  return rows[0]
}

async function addImsi(tx: Tx, { account_id, sim_id }: Sim, imsi: string) {
  const position = sql<number>`(select coalesce(max(position) + 1, 0) from sim_imsi where account_id = ${account_id} and sim_id = ${sim_id})`
  await tx
    .insertInto('sim_imsi')
    .values({ imsi, account_id, sim_id, position })
    .onConflict((conflict) => conflict.column('imsi').doNothing())
    .execute()
  const owner = await tx.selectFrom('sim_imsi').select(['account_id', 'sim_id']).where('imsi', '=', imsi).executeTakeFirstOrThrow()
  const stock = await tx
    .selectFrom('inventory')
    .select('serial')
    .where(sql<boolean>`imsis @> array[${imsi}]`)
    .where('asset_id', 'is', null)
    .executeTakeFirst()
  if (owner.sim_id !== sim_id || owner.account_id !== account_id || stock)
    throw new Problem(imsiTaken, stock ? `IMSI ${imsi} belongs to ${stock.serial} in stock` : undefined)
}

type Resolution = { state: 'matched' | 'discarded'; reason: string; sim: Sim | null }

const resolve = (tx: Tx, actor: Actor, ids: readonly string[], { state, reason, sim }: Resolution) =>
  tx
    .updateTable('quarantine')
    .set({
      state,
      resolved_at: actor.at,
      resolved_by: actor.email,
      resolve_reason: reason,
      matched_account_id: sim?.account_id ?? null,
      matched_sim_id: sim?.sim_id ?? null,
    })
    .where('id', 'in', ids)
    .execute()
