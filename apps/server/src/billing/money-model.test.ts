import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { micros } from '@masthead/contract/billing/money'
import { roundingScopes, type RoundingScope } from '@masthead/contract/billing/rating'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import { dayOf } from '@masthead/contract/kernel/time'
import { seeded } from '@masthead/testkit/seeded'
import { openCorrectingHouse } from '../backoffice/corrections/test-correcting.ts'
import type { Tx } from '../kernel/app.ts'
import { newSim, readingOf, stored, type TestSim } from '../metering/test-network.ts'
import { ensurePartitions } from '../usage/index.ts'
import { rollUp } from '../usage/roll-ups/roll-up.ts'
import { rollUpAll } from '../usage/roll-ups/test-roll-up-all.ts'
import { closeMonths } from './invoices/close-months.ts'
import { refundCharged, voidCredits } from './ledger/correct.ts'
import { expireGrants } from './ledger/expire-grants.ts'
import { proveLedger } from './ledger/prove.ts'
import { charging, openBilling, postAll, usd } from './ledger/test-ledger.ts'
import { bookReturned } from './payments/book-returned.ts'
import { chargeAllFees } from './settling/charge-fees.ts'
import { settleBeforeEnd, settleCharges, settleEndedDays } from './settling/settle.ts'
import { putAssignment, putTariff } from './tariffs/test-tariffs.ts'

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
const staff = 'staff@example.test'
/** What a correction may be refused for. */
const refusals = ['usage_below_zero', 'nothing_counted', 'day_not_correctable', 'correction_undone']

type House = Awaited<ReturnType<typeof openCorrectingHouse>>
type Random = ReturnType<typeof seeded>
type Session = { id: string; began: number; last: number; up: number; down: number; mccmnc: string }
type Payment = { id: string; amount: number; credit_id: string; looks: number }

/** One account and what happens to it. */
class Customer {
  readonly on: House
  readonly seed: number
  readonly random: Random
  sims: TestSim[] = []
  account_id = ''
  private readonly sessions = new Map<string, Session>()
  private readonly corrections: { sim: TestSim; id: string }[] = []
  private readonly payments: Payment[] = []
  private n = 0

  constructor(on: House, seed: number) {
    this.on = on
    this.seed = seed
    this.random = seeded(seed)
  }

  private get house() {
    return this.on.house
  }
  private now = () => this.house.clock.now()
  private begin = <Done>(work: (tx: Tx) => Promise<Done>) => this.house.app.db.transaction().execute(work)
  private key = (of: string) => `${of} ${++this.n}`

  async open(tariffs: readonly string[]): Promise<this> {
    const { house, random } = this
    const person = await house.newOwner('customer')
    this.account_id = person.account_id
    await openBilling(house, this.account_id)
    await putAssignment(house, this.account_id, random.one(tariffs), { from_day: '2026-11-01' })
    this.sims = [await newSim(house, person), await newSim(house, person, { state: 'inactive' })]
    // Without a profile a month waits.
    if (random.whole(0, 9) === 0) return this
    const of = { company: 'Acme', address: 'Hamngatan 4', postal_code: null, city: 'Malmö', country: 'SE', tax_id: null }
    await house.db
      .insertInto('billing_profile')
      .values({ account_id: this.account_id, ...of, emails: [person.email], changed_at: this.now(), changed_by: person.email })
      .execute()
    return this
  }

  /** A session's report: of a new one, which may be told days late, or of one that goes on. */
  async report(): Promise<void> {
    const { random, seed } = this
    const sim = random.one(this.sims)
    const now = this.now().getTime()
    const most = random.one([3, 50_000, 5_000_000])
    const [up, down] = [random.whole(0, most), random.whole(0, most)]
    let session = this.sessions.get(sim.id)
    if (session && session.last < now && random.whole(0, 2) > 0) {
      session.up += up
      session.down += down
      session.last = now
    } else {
      const at = now - random.one([0, 0, random.whole(1, 9 * 86_400)]) * 1000
      session = { id: `${seed}/${++this.n}`, began: at - 600_000, last: at, up, down, mccmnc: random.one(['262-01', '310-410', '']) }
      this.sessions.set(sim.id, session)
    }
    const told = { event_at: session.last, session_time: (session.last - session.began) / 1000, mccmnc: session.mccmnc || null, rat: 'LTE' }
    const counted = { counter_up: session.up, counter_down: session.down }
    expect(await stored(this.house, readingOf(this.house, sim, { acct_session_id: session.id, ...told, ...counted }))).toBe(true)
  }

  /** Staff add to what was used on a day, take of it, or undo what they did before. */
  async correct(): Promise<void> {
    const { random } = this
    const before = random.whole(0, 2) === 0 ? this.corrections.pop() : undefined
    const sim = before?.sim ?? random.one(this.sims)
    const on = dayOf(this.now().getTime() - random.whole(0, 9) * day)
    const { status, body } = before
      ? await this.on.undo(sim, before.id)
      : await this.on.correct(sim, { day: on, bytes_up: random.one([-1, 1]) * random.whole(1, random.one([100, 3_000_000])) })
    if (status === 200) this.corrections.push({ sim, id: body.id })
    else expect(refusals).toContain(body.code)
  }

  async buy(): Promise<void> {
    const { account_id } = this
    const at = this.now()
    const id = newId({ prefix: 'pay' }, at.getTime())
    const amount = this.random.whole(1000, 5000) * 10_000
    const [credit] = await postAll(this.house, [charging(account_id, `payment ${id}`, amount, { payment_id: id, source: 'card' })])
    const card = { currency: 'USD', source: 'card' as const, method_id: 'pm_1', card_name: 'Visa ending in 4242', begun_by: staff }
    await this.house.db
      .insertInto('top_up')
      .values({
        account_id,
        id,
        state: 'succeeded',
        amount_micros: amount,
        ...card,
        begun_at: at,
        ended_at: at,
        transaction_id: credit!.id,
      })
      .execute()
    this.payments.push({ id, amount, credit_id: credit!.id, looks: 0 })
  }

  /** What the card provider says is gone of a payment now: refunded, disputed, or back again. */
  async bringBack(): Promise<void> {
    const { account_id, random } = this
    const payment = this.payments.at(-1)
    if (!payment) return this.buy()
    const cents = payment.amount / 10_000
    const refunded = random.one([0, random.whole(0, cents)])
    const disputed = random.one([0, cents - refunded, random.whole(0, cents - refunded)])
    const returned = { refunded_micros: refunded * 10_000, disputed_micros: disputed * 10_000, failed_pay_backs: [] }
    const looked = ++payment.looks
    await this.begin(async (tx) => {
      await tx.selectFrom('billing_account').select('account_id').where('account_id', '=', account_id).forNoKeyUpdate().execute()
      const which = tx.selectFrom('top_up').selectAll().where('account_id', '=', account_id).where('id', '=', payment.id)
      const row = { ...(await which.forUpdate().executeTakeFirstOrThrow()), looked }
      const { amount: received, credit_id } = payment
      const change = await bookReturned(tx, { row, at: this.now(), received, credit_id, returned })
      await tx
        .updateTable('top_up')
        .set({ looked, ...change })
        .where('account_id', '=', account_id)
        .where('id', '=', payment.id)
        .execute()
    })
  }

  async give(): Promise<void> {
    const expires_at = this.random.one([null, new Date(this.now().getTime() + this.random.whole(1, 8) * day)])
    const grant = { kind: 'granted' as const, expires_at }
    const given = { sub_type: 'grant', against: 'granted', source: 'staff', grant } as const
    await postAll(this.house, [charging(this.account_id, this.key('gift'), this.random.whole(1, 9_000_000), given)])
  }

  /** Staff give back a part of a charge, or take back what is left of a gift. */
  async takeBack(): Promise<void> {
    const { account_id, random } = this
    const type = random.one(['charge', 'credit'])
    const { rows } = await sql<{ id: string; amount: number }>`select id, abs(amount_micros) as amount from ledger_transaction
      where account_id = ${account_id} and type = ${type} and (type = 'charge' or sub_type = 'grant') order by number`.execute(
      this.house.db
    )
    if (rows.length === 0) return this.give()
    const { id, amount } = random.one(rows)
    const by = { account_id, actor: staff, reason: 'Ticket 7', at: this.now() }
    const part = micros(random.one([amount, random.whole(1, amount)]))
    const done = this.begin<unknown>((tx) =>
      type === 'credit'
        ? voidCredits(tx, id, by)
        : refundCharged(tx, id, { ...by, key: this.key('refund'), amount_micros: part, currency: usd })
    )
    await done.catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
    })
  }

  async changeSim(): Promise<void> {
    const { id } = this.random.one(this.sims)
    const state = this.random.one(['active', 'active', 'inactive', 'standby'] as const)
    await sql`update sim set state = ${state}, state_changed_at = ${this.now()}, state_changed_by = 'owner@example.test',
      activated_at = case when ${state} = 'active' then coalesce(activated_at, ${this.now()}) else activated_at end where id = ${id}`.execute(
      this.house.db
    )
  }

  step(): Promise<void> {
    const { random } = this
    switch (random.whole(0, 11)) {
      case 0:
        return this.buy()
      case 1:
        return this.bringBack()
      case 2:
        return this.give()
      case 3:
        return this.takeBack()
      case 4:
        return this.changeSim()
      case 5:
      case 6:
        return this.correct()
      default:
        return this.report()
    }
  }
}

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
    Array.from({ length: customer.random.whole(4, 9) }, () => ({ at: customer.random.one(moments), customer }))
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
    // On 24 November and 1 December, and when all is over.
    if (i === 6 || i === 17) await chargeAllFees(app)
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
  if (many < sideBySide) return
  // All of it has happened.
  const { rows: kinds } = await sql<{ kind: string }>`select distinct type || ' ' || sub_type as kind from ledger_transaction
    union all select distinct kind from billing_document`.execute(house.db)
  const wanted = ['charge payg_data', 'charge sim_monthly', 'charge activation', 'adjustment payg_data', 'adjustment dispute', 'invoice']
  const back = ['refund payment', 'refund payg_data', 'expiry granted', 'void grant']
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...wanted, ...back]))
})
