import { sql } from 'kysely'
import { balanceTooLow, billingOff } from '@masthead/contract/billing/ledger-problems'
import { poolUnpaid } from '@masthead/contract/datapools/events'
import type { PoolKind } from '@masthead/contract/datapools/package'
import { Problem } from '@masthead/contract/kernel/problem'
import { type App, type Db, systemActor, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { lockPools, type PoolOf } from '../renew-pools.ts'
import { payShares, payTerm, type DueTerm } from './pay-term.ts'

const atOnce = 100

type Due = DueTerm & { kind: PoolKind; begun: boolean }

/** A term that nobody paid, or in which SIMs brought more since. */
const due = async (db: Db, of: PoolOf | null): Promise<Due[]> => {
  const { rows } =
    await sql<Due>`select p.account_id, p.id as pool_id, p.name, p.kind, t.price_micros, t.starts_at, t.ends_at, t.paid_by is not null as begun from data_pool p
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
    where p.bought and p.ended_at is null and case p.kind when 'fixed' then t.paid_by is null else t.size_bytes <> t.paid_size_bytes end
      ${of ? sql`and p.account_id = ${of.account_id} and p.id = ${of.pool_id}` : sql``} order by 1, 2 limit ${atOnce}`.execute(db)
  return rows
}

/**
 * Takes the price of the terms that bought pools have begun: the meter renews a pool, and waits for no balance. A pool whose next term the balance does not
 * cover ends. Where its SIMs each bring their own, that of those that came since is taken, too. Of terms that went by while nothing ran, only the one that runs is paid.
 */
export async function payDueTerms({ db, clock }: App): Promise<void> {
  for (let found = atOnce; found === atOnce;) {
    const terms = await due(db, null)
    found = terms.length
    for (const term of terms) await db.transaction().execute((tx) => payOrEnd(tx, term, clock.now()))
  }
}

async function payOrEnd(tx: Tx, { account_id, pool_id }: PoolOf, at: Date): Promise<void> {
  await lockPools(tx, [{ account_id, pool_id }])
  const [term] = await due(tx, { account_id, pool_id })
  if (!term) return
  try {
    if (term.kind === 'fixed') await payTerm(tx, term, { actor: 'system', at })
    // An asset that got its SIM later is no reason to end what is paid for.
    else await payShares(tx, term, { actor: 'system', at, owed: term.begun })
  } catch (error) {
    // Nothing was written: whether the balance covers it is asked first.
    if (!(error instanceof Problem) || ![balanceTooLow.code, billingOff.code].some((code) => code === error.kind.code)) throw error
    await tx.updateTable('data_pool').set({ ended_at: at }).where('account_id', '=', account_id).where('id', '=', pool_id).execute()
    await sql`select pools_changed(${account_id})`.execute(tx)
    await record(tx, systemActor(account_id, at), poolUnpaid, { pool_id, pool_name: term.name })
  }
}
