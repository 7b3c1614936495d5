import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { roundingScopes, type RoundingScope } from '@masthead/contract/billing/rating'
import { seeded } from '@masthead/testkit/seeded'
import { openCorrectingHouse } from '../backoffice/corrections/test-correcting.ts'
import { ensurePartitions } from '../usage/index.ts'
import { rollUp } from '../usage/roll-ups/roll-up.ts'
import { rollUpAll } from '../usage/roll-ups/test-roll-up-all.ts'
import { closeMonths } from './invoices/close-months.ts'
import { expireGrants } from './ledger/expire-grants.ts'
import { proveLedger } from './ledger/prove.ts'
import { chargeAllFees } from './settling/charge-fees.ts'
import { settleBeforeEnd, settleCharges, settleEndedDays } from './settling/settle.ts'
import { putTariff } from './tariffs/test-tariffs.ts'
import { Customer, type House, type Random } from './test-customer.ts'

// Whatever comes of usage, late usage, corrections, payments, refunds, disputes, fees of SIMs, ends of credits and of a month, in whatever order: all books agree.
// Each history is of an account of its own; those of a part live side by side, so that what they do at the same time meets as it does in a product.
const histories = Number(process.env.MASTHEAD_HISTORIES ?? 200)
const sideBySide = 100
const parts = Array.from({ length: Math.ceil(histories / sideBySide) }, (_, part) => part + 1)

const [hour, day] = [3_600_000, 86_400_000]
const start = Date.parse('2026-11-20T00:00:00Z')
/** November closes on 4 December at 00:00. */
const end = Date.parse('2026-12-06T00:00:00Z')
const every = 16 * hour
const moments = Array.from({ length: (end - start) / every }, (_, i) => start + i * every)

/** What the product does by itself, each of it some times. */
async function work({ app }: House['house'], random: Random): Promise<void> {
  const settle = async (all: boolean) => {
    while (await settleCharges(app, { all }));
  }
  const jobs = [
    () => settle(false),
    () => settle(true),
    () => settleEndedDays(app),
    () => expireGrants(app, settleBeforeEnd),
    () => rollUp(app),
  ]
  await random.one(jobs)()
}

test.each(parts)(`the books of random histories agree: part %i of ${parts.length}`, { timeout: 36_000_000 }, async (part) => {
  const on = await openCorrectingHouse()
  await using house = on.house
  const { app } = house
  for (let at = start - 2 * day; at < end + 2 * day; at += day) await ensurePartitions(house.db, new Date(at))
  await sql`update gateway set created_at = '2026-01-01'`.execute(house.db)
  const random = seeded(part)
  house.clock.set(new Date(start))
  const tariffs: string[] = []
  for (const rounding_scope of Object.keys(roundingScopes) as RoundingScope[]) {
    const fees = {
      activation_micros: 1_000_000,
      reactivation_micros: 500_000,
      active_monthly: [
        { from: 1, price_micros: 2_000_000 },
        { from: 2, price_micros: 1_600_000 },
      ],
      inactive_monthly_micros: 100_000,
      standby_monthly_micros: 50_000,
    }
    const counting = { rounding_scope, block_bytes: random.one([1, 1000, 1024]), kb: random.one([1000, 1024] as const) }
    tariffs.push(await putTariff(house, { effective_from: '2026-01-01', ...counting, fees }))
  }
  const first = (part - 1) * sideBySide + 1
  const many = Math.min(sideBySide, histories - first + 1)
  const customers: Customer[] = []
  for (let seed = first; seed < first + many; seed++) customers.push(await new Customer(on, seed).open(tariffs))
  const steps = customers.flatMap((customer) =>
    Array.from({ length: customer.random.whole(2, 7) }, () => ({ at: customer.random.one(moments), customer }))
  )
  /** Which histories do not agree, and how. */
  const wrong = async () => {
    const seedOf = new Map(customers.map(({ account_id, seed }) => [account_id, seed]))
    return (await proveLedger(app)).differences.map(({ account_id, ...difference }) => ({ ...difference, history: seedOf.get(account_id) }))
  }

  const settleAll = async () => {
    await settleEndedDays(app)
    while (await settleCharges(app, { all: true }));
  }

  for (const [i, at] of moments.entries()) {
    const now = steps.filter((step) => step.at === at)
    await on.setClock(new Date(at).toISOString())
    const ofCustomer = Map.groupBy(now, ({ customer }) => customer)
    const underWay = [...ofCustomer].map(async ([customer, { length }]) => {
      for (let n = 0; n < length; n++) await customer.step()
    })
    await Promise.all([...underWay, work(house, random)])
    // On 1 December, and when all is over.
    if (i === 17) await chargeAllFees(app)
    if (at >= Date.parse('2026-12-04T08:00:00Z')) {
      await settleAll()
      await closeMonths(app)
    }
    if (i % 8 === 7) expect(await wrong()).toEqual([])
  }
  house.clock.set(new Date(end))
  await rollUpAll(app)
  await settleAll()
  await expireGrants(app, settleBeforeEnd)
  await chargeAllFees(app)
  expect(await wrong()).toEqual([])

  // What was invoiced of November is what the ledger had of it when that was closed.
  const { rows: invoiced } =
    await sql`select m.account_id from billing_month m left join billing_document d on d.account_id = m.account_id and d.id = m.document_id
    where coalesce((select sum((l ->> 'micros')::bigint) from jsonb_array_elements(d.lines) l where l ->> 'words' <> 'Rounding to the cent'), 0)
      <> coalesce((select sum(e.amount_micros) from ledger_transaction t
        join ledger_entry e on e.account_id = t.account_id and e.transaction_id = t.id and e.ledger_account = 'revenue'
        where t.account_id = m.account_id and t.number <= m.through_number and t.effective_at < '2026-12-01T00:00:00Z'), 0)`.execute(
      house.db
    )
  expect(invoiced).toEqual([])
  // All of it has happened: of the first hundred that is known.
  if (part > 1 || many < sideBySide) return
  const { rows: kinds } = await sql<{ kind: string }>`select distinct type || ' ' || sub_type as kind from ledger_transaction
    union all select distinct kind from billing_document`.execute(house.db)
  const wanted = ['charge payg_data', 'charge sim_monthly', 'charge activation', 'adjustment payg_data', 'adjustment dispute', 'invoice']
  const back = ['refund payment', 'refund payg_data', 'expiry granted', 'void grant']
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...wanted, ...back]))
})
