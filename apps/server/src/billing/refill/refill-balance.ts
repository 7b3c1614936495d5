import { sql } from 'kysely'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { refillAtLimit } from '@masthead/contract/billing/refill/events'
import { refillActor, refillAmount, type RefillMode } from '@masthead/contract/billing/refill/refill'
import { dayOf } from '@masthead/contract/kernel/time'
import { systemActor, type App } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { findCard } from '../cards/index.ts'
import { lockBalance } from '../ledger/index.ts'
import { beginTopUp } from '../payments/index.ts'
import { available, chargedInMonth, monthOf } from './payments-of-refill.ts'
import { isDue, stopRefill } from './watch-balances.ts'

type Due = {
  currency: Currency
  left_micros: number
  mode: RefillMode
  amount_micros: number
  month_limit_micros: number
  refill_limit_month: string | null
}

/** Begins to fill an account, where that is due still. Never two at once: the balance is locked, and while a payment is under way nothing is due. */
export const refillBalance = ({ db, clock }: App, { account_id }: { account_id: string }): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const at = clock.now()
    await lockBalance(tx, account_id)
    const { rows } =
      await sql<Due>`select b.currency, ${available(at)} as left_micros, r.refill_mode as mode, r.refill_amount_micros as amount_micros,
        r.refill_month_limit_micros as month_limit_micros, r.refill_limit_month
      from balance_rule r join billing_account b using (account_id) left join charge_account a using (account_id)
      where r.account_id = ${account_id} and ${isDue(at)} for update of r`.execute(tx)
    const [due] = rows
    if (!due) return
    if (!(await findCard(tx, account_id, null))) return stopRefill(tx, account_id, at, 'No card is kept any more that could be charged')
    const { currency, left_micros, mode, amount_micros, month_limit_micros } = due
    const rule = { mode, amount_micros: micros(amount_micros), month_limit_micros: micros(month_limit_micros) }
    const amount = refillAmount(rule, { available: left_micros, charged: await chargedInMonth(tx, account_id, at) })
    if (amount !== null) {
      await beginTopUp(tx, { account_id, amount_micros: micros(amount), card_id: null, source: 'auto_refill', by: refillActor, at })
      return
    }
    const month = dayOf(monthOf(at))
    if (due.refill_limit_month === month) return
    await tx.updateTable('balance_rule').set({ refill_limit_month: month }).where('account_id', '=', account_id).execute()
    await record(tx, systemActor(account_id, at), refillAtLimit, { month_limit: formatMoney(micros(month_limit_micros), currency) })
  })
