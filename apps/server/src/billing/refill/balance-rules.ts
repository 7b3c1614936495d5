import { sql } from 'kysely'
import type { PriceAction } from '@masthead/contract/billing/cost-limits/cost-limits'
import type { Currency } from '@masthead/contract/billing/money'
import { micros } from '@masthead/contract/billing/money'
import {
  triedAgainAfter,
  type BalanceLevel,
  type BalanceRules,
  type Refill,
  type RefillMode,
} from '@masthead/contract/billing/refill/refill'
import { dayOf } from '@masthead/contract/kernel/time'
import type { Actor, Db } from '../../kernel/app.ts'
import { findCard } from '../cards/index.ts'
import { available, chargedInMonth, failed } from './payments-of-refill.ts'

type Row = {
  currency: Currency
  available_micros: number
  warn_micros: number | null
  urgent_micros: number | null
  most_price_micros: number | null
  price_action: PriceAction | null
  sim_day_micros: number | null
  kb: number | null
  refill_on: boolean | null
  refill_mode: RefillMode | null
  refill_below_micros: number
  refill_amount_micros: number
  refill_month_limit_micros: number
  refill_stopped_words: string | null
  failures: number
  failed_at: Date | null
}

/** Null while billing is off. */
export async function findBalanceRules(db: Db, { account_id, at }: Pick<Actor, 'account_id' | 'at'>): Promise<BalanceRules | null> {
  const { rows } =
    await sql<Row>`select b.currency, ${available(at)} as available_micros, r.warn_micros, r.urgent_micros, r.most_price_micros, r.price_action, r.sim_day_micros,
      (select kb from rates_of(array[b.account_id], array[''], array[${dayOf(at)}::date])) as kb, r.refill_on, r.refill_mode,
      r.refill_below_micros, r.refill_amount_micros, r.refill_month_limit_micros, r.refill_stopped_words, f.failures, f.failed_at
    from billing_account b left join balance_rule r using (account_id) left join charge_account a using (account_id) left join lateral ${failed} f on true
    where b.account_id = ${account_id}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { warn_micros, urgent_micros } = row
  const orNull = (amount: number | null) => (amount === null ? null : micros(amount))
  return {
    currency: row.currency,
    warnings: { warn_micros: orNull(warn_micros), urgent_micros: orNull(urgent_micros) },
    cost_limits: {
      most_price_micros: orNull(row.most_price_micros),
      price_action: row.price_action ?? 'warn',
      sim_day_micros: orNull(row.sim_day_micros),
    },
    megabyte: row.kb === 1024 ? 'MiB' : 'MB',
    level: levelOf(row.available_micros, row),
    available_micros: micros(row.available_micros),
    refill: row.refill_mode === null ? null : await refillOf(db, account_id, at, { ...row, refill_mode: row.refill_mode }),
  }
}

/** Which warning a balance is below. */
function levelOf(available: number, rule: Pick<Row, 'warn_micros' | 'urgent_micros'>): BalanceLevel | null {
  if (rule.urgent_micros !== null && available < rule.urgent_micros) return 'urgent'
  return rule.warn_micros !== null && available < rule.warn_micros ? 'warn' : null
}

async function refillOf(db: Db, account_id: string, at: Date, row: Row & { refill_mode: RefillMode }): Promise<Refill> {
  const card = await findCard(db, account_id, null)
  const last = await db
    .selectFrom('top_up')
    .select(['id', 'state', 'amount_micros', 'words', 'begun_at'])
    .where('account_id', '=', account_id)
    .where('source', '=', 'auto_refill')
    .orderBy('begun_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    is_on: row.refill_on ?? false,
    mode: row.refill_mode,
    below_micros: micros(row.refill_below_micros),
    amount_micros: micros(row.refill_amount_micros),
    month_limit_micros: micros(row.refill_month_limit_micros),
    month_charged_micros: micros(await chargedInMonth(db, account_id, at)),
    card_name: card?.name ?? null,
    failures: row.failures,
    next_try_at: row.refill_on && row.failed_at ? new Date(row.failed_at.getTime() + triedAgainAfter).toISOString() : null,
    stopped_words: row.refill_stopped_words,
    last: last ? { ...last, amount_micros: micros(last.amount_micros), begun_at: last.begun_at.toISOString() } : null,
  }
}
