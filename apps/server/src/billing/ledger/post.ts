import { sql } from 'kysely'
import { balanceTooLow, billingOff } from '@masthead/contract/billing/ledger-problems'
import { formatMoney, micros, type Micros } from '@masthead/contract/billing/money'
import { firstIdAt, idKind, newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import { balanceChanged } from '@masthead/contract/signals'
import type { Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { spend, type Spent } from './grants.ts'
import { priorityOf, type Posted, type Posting } from './posting.ts'

const transactionId = idKind('led')
/** Below the ids of all transactions of a time and later ones, above those of earlier ones. */
export const idsFrom = (at: number): string => firstIdAt(transactionId, at)

type Balance = {
  account_id: string
  currency: string
  balance_micros: number
  limit_micros: number
  posted: number
  /** Of the balance what cannot be spent: what is charged and not in the ledger yet, what is to be paid back, and what is left of credits that have ended and not been taken away yet. */
  held_micros: number
}

const nothingMore = {
  reason: null,
  usage_from: null,
  usage_to: null,
  quantity: null,
  unit: null,
  unit_price_micros: null,
  zone: null,
  tariff_version: null,
  asset_id: null,
  sim_id: null,
  pool_id: null,
  payment_id: null,
  corrects: null,
}

const placeOf = ({ account_id, key }: { account_id: string; key: string }) => JSON.stringify([account_id, key])

/**
 * Posts to the ledger, in the order given, in some statements however many postings and accounts there are. Every account is locked until the
 * transaction ends, in the order of their ids. What was posted before under its key changes nothing and answers the same. Throws billing_off where an
 * account has no billing; balance_too_low where what may be refused is not covered.
 */
export async function post(tx: Tx, at: Date, postings: readonly Posting[]): Promise<Posted[]> {
  if (postings.length === 0) return []
  const accounts = [...new Set(postings.map(({ account_id }) => account_id))]
  const balances = await lockBalances(
    tx,
    accounts,
    at,
    postings.some(({ refusable }) => refusable)
  )
  const known = await findPosted(tx, postings)
  const made = new Map<string, Posted>()
  const rows: object[] = []
  const lines: object[] = []
  const grants: object[] = []
  const spent = new Map<string, Spent>()
  for (const posting of postings) {
    const place = placeOf(posting)
    if (known.has(place) || made.has(place)) continue
    const {
      account_id,
      key,
      amount_micros,
      against,
      tax_micros = 0,
      grant = { kind: 'purchased' },
      refusable,
      names_amounts,
      from,
      ...said
    } = posting
    const balance = balances.get(account_id)
    if (!balance) throw new Problem(billingOff)
    const balance_after_micros = micros(balance.balance_micros + checked(posting))
    if (refusable && amount_micros < 0 && balance_after_micros - balance.held_micros < balance.limit_micros)
      throw new Problem(balanceTooLow, names_amounts ? tooLowWords(balance, amount_micros) : undefined)
    balance.balance_micros = balance_after_micros
    balance.posted += 1
    const id = newId(transactionId, at.getTime())
    const row = { ...nothingMore, effective_at: at, ...said, account_id, id, key, number: balance.posted, amount_micros }
    rows.push({ ...row, balance_after_micros, posted_at: at })
    lines.push(
      ...[
        { ledger_account: 'customer_balance', amount_micros },
        { ledger_account: 'tax', amount_micros: tax_micros },
        { ledger_account: against, amount_micros: micros(0 - amount_micros - tax_micros) },
      ]
        .filter((line) => line.amount_micros !== 0)
        .map((line, index) => ({ ...line, account_id, transaction_id: id, line: index + 1 }))
    )
    const so_far = spent.get(account_id) ?? { account_id, left_micros: 0, spent_at: at, from: [] }
    const spent_at = amount_micros < 0 ? timeOf(posting, at) : at
    if (amount_micros > 0)
      grants.push({
        account_id,
        transaction_id: id,
        kind: grant.kind,
        amount_micros,
        remaining_micros: amount_micros,
        priority: priorityOf[grant.kind],
        expires_at: grant.expires_at ?? null,
      })
    else if (from) so_far.from.push(...from)
    else if (posting.corrects) so_far.from.push({ transaction_id: posting.corrects, amount_micros: 0 - amount_micros })
    spent.set(account_id, {
      ...so_far,
      left_micros: Math.max(balance_after_micros, 0),
      spent_at: spent_at < so_far.spent_at ? spent_at : so_far.spent_at,
    })
    made.set(place, { account_id, key, id, amount_micros, balance_after_micros, repeated: false })
  }
  if (rows.length > 0) {
    const changed = [...spent.keys()].map((id) => balances.get(id)!)
    await write(tx, { rows, lines, grants, changed })
    await spend(tx, [...spent.values()])
    await publish(tx, [...spent.keys()], balanceChanged)
  }
  return postings.map((posting) => made.get(placeOf(posting)) ?? known.get(placeOf(posting))!)
}

/** Usage is paid by credits that had not ended when it began, all else by those that have not ended now. */
const timeOf = ({ source, usage_from }: Posting, at: Date) => (source === 'usage' ? (usage_from ?? at) : at)

function checked({ amount_micros, tax_micros = micros(0), key }: Posting): Micros {
  if (amount_micros === 0 || !Number.isSafeInteger(amount_micros) || !Number.isSafeInteger(tax_micros))
    throw new RangeError(`The posting ${key} is of no amount that can be booked`)
  return amount_micros
}

const tooLowWords = ({ balance_micros, held_micros, currency }: Balance, amount: Micros) =>
  `This costs ${formatMoney(micros(0 - amount), currency)} and ${
    held_micros === 0
      ? `the balance is ${formatMoney(micros(balance_micros), currency)}`
      : `${formatMoney(micros(balance_micros - held_micros), currency)} of the balance can be spent`
  }. Add credits first`

async function lockBalances(tx: Tx, accounts: readonly string[], at: Date, isRefusable: boolean): Promise<Map<string, Balance>> {
  const rows = await tx
    .selectFrom('billing_account')
    .select(['account_id', 'currency', 'balance_micros', 'limit_micros', 'posted'])
    .where('account_id', 'in', [...accounts])
    .orderBy('account_id')
    .forNoKeyUpdate()
    .execute()
  // Asked once they are locked: what was settled while we waited is in the balance, and not here any more.
  const held = isRefusable ? await findHeld(tx, accounts, at) : new Map<string, number>()
  return new Map(rows.map((row) => [row.account_id, { ...row, held_micros: held.get(row.account_id) ?? 0 }]))
}

async function findHeld(tx: Tx, accounts: readonly string[], at: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ account_id: string; held_micros: number }>`select account_id, sum(micros)::bigint as held_micros from (
      select account_id, unsettled_micros as micros from charge_account where account_id = any(${[...accounts]}::text[])
      union all select account_id, remaining_micros from ledger_grant
        where account_id = any(${[...accounts]}::text[]) and remaining_micros > 0 and expires_at <= ${at}
      union all select account_id, amount_micros from pay_back where account_id = any(${[...accounts]}::text[]) and state = 'asked') held group by 1`.execute(
    tx
  )
  return new Map(rows.map(({ account_id, held_micros }) => [account_id, held_micros]))
}

/** By account and key. */
async function findPosted(tx: Tx, postings: readonly Posting[]): Promise<Map<string, Posted>> {
  const asked = postings.map(({ account_id, key }) => ({ account_id, key }))
  const { rows } = await sql<Omit<Posted, 'repeated'>>`select account_id, key, id, amount_micros, balance_after_micros
    from ledger_transaction join jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (account_id text, key text)
      using (account_id, key)`.execute(tx)
  return new Map(rows.map((row) => [placeOf(row), { ...row, repeated: true }]))
}

type Written = { rows: readonly object[]; lines: readonly object[]; grants: readonly object[]; changed: readonly Balance[] }

async function write(tx: Tx, { rows, lines, grants, changed }: Written): Promise<void> {
  const given = (table: string, of: readonly object[]) =>
    sql`insert into ${sql.table(table)} select (jsonb_populate_record(null::${sql.table(table)}, each)).* from jsonb_array_elements(${JSON.stringify(of)}::jsonb) as each`
  await given('ledger_transaction', rows).execute(tx)
  await given('ledger_entry', lines).execute(tx)
  if (grants.length > 0) await given('ledger_grant', grants).execute(tx)
  await sql`update billing_account b set balance_micros = now_has.balance_micros, posted = now_has.posted
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as now_has (account_id text, balance_micros bigint, posted bigint)
    where b.account_id = now_has.account_id`.execute(tx)
}
