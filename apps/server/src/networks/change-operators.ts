import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { Operator, setOperatorRate as rateOp, updateOperator as updateOp } from '@masthead/contract/backoffice/network-operations'
import { networksChanged, rateInPast } from '@masthead/contract/backoffice/problems'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import { addJob } from '../kernel/jobs/jobs.ts'
import { getOperator } from './operators.ts'

type Wanted = Parsed<typeof updateOp>['body']
type RateChange = Omit<Parsed<typeof rateOp>['body'], 'known_at'>
type Changed = { before: Operator; after: Operator }

/** Refuses a day that is over. */
export function needFuture(effective_from: string, at: Date) {
  if (effective_from >= dayOf(at)) return
  throw new Problem(rateInPast, undefined, { fields: { effective_from: rateInPast.title } })
}

/** Changes a network. Answers how it was and how it is. Throws not_found. */
export async function updateOperator(tx: Tx, { at }: Actor, mccmnc: string, wanted: Wanted): Promise<Changed> {
  const before = await getOperatorForUpdate(tx, at, mccmnc)
  const { name = before.name, rats = before.rats, active = before.active, notes = before.notes } = wanted
  await tx
    .updateTable('network')
    .set({ name, rats: [...rats], active, notes })
    .where('mccmnc', '=', mccmnc)
    .execute()
  return { before, after: await getOperator(tx, at, mccmnc) }
}

/** Plans what the traffic of a network costs from a day on. Throws not_found, rate_in_past, networks_changed. */
export async function setOperatorRate(
  tx: Tx,
  actor: Actor,
  mccmnc: string,
  { known_at, ...rate }: RateChange & { known_at?: string | null | undefined }
): Promise<Changed> {
  const before = await getOperatorForUpdate(tx, actor.at, mccmnc)
  needFuture(rate.effective_from, actor.at)
  if (known_at !== undefined) {
    const since = await tx
      .selectFrom('network_rate')
      .select(['set_by', 'effective_from'])
      .where('mccmnc', '=', mccmnc)
      .where('set_at', '>', known_at === null ? new Date(0) : new Date(known_at))
      .limit(1)
      .executeTakeFirst()
    if (since)
      throw new Problem(networksChanged, `${since.set_by} set a rate of this network meanwhile. Check the rates before you continue`)
  }
  await setRates(tx, actor, [{ mccmnc, ...rate }])
  return { before, after: await getOperator(tx, actor.at, mccmnc) }
}

async function getOperatorForUpdate(tx: Tx, at: Date, mccmnc: string): Promise<Operator> {
  await tx.selectFrom('network').select('mccmnc').where('mccmnc', '=', mccmnc).forUpdate().execute()
  return getOperator(tx, at, mccmnc)
}

/** Writes rates; one for the same day is replaced. */
export async function setRates(tx: Tx, actor: Actor, rates: readonly (RateChange & { mccmnc: string })[]): Promise<void> {
  if (rates.length === 0) return
  await sql`insert into network_rate (mccmnc, effective_from, zone, cost_micros, price_micros, set_by, set_at)
    select mccmnc, effective_from, zone, cost_micros, price_micros, ${actor.email}, ${actor.at}
    from jsonb_to_recordset(${JSON.stringify(rates)}::jsonb)
      as given (mccmnc text, effective_from date, zone text, cost_micros bigint, price_micros bigint)
    on conflict (mccmnc, effective_from) do update set zone = excluded.zone, cost_micros = excluded.cost_micros,
      price_micros = excluded.price_micros, set_by = excluded.set_by, set_at = excluded.set_at`.execute(tx)
  // Sessions may be in another zone now, where their SIMs' pools have no data; what begins later is followed on its day.
  if (rates.some(({ effective_from }) => effective_from === dayOf(actor.at)))
    await addJob(tx, 'follow_rates', {}, { key: 'follow_rates:now' })
}
