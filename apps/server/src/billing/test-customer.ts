import { sql } from 'kysely'
import { expect } from 'vitest'
import { micros } from '@masthead/contract/billing/money'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import { dayOf } from '@masthead/contract/kernel/time'
import { seeded } from '@masthead/testkit/seeded'
import type { openCorrectingHouse } from '../backoffice/corrections/test-correcting.ts'
import type { Tx } from '../kernel/app.ts'
import { newSim, readingOf, stored, type TestSim } from '../metering/test-network.ts'
import { refundCharged, voidCredits } from './ledger/correct.ts'
import { charging, openBilling, postAll, usd } from './ledger/test-ledger.ts'
import { bookReturned } from './payments/book-returned.ts'
import { putAssignment } from './tariffs/test-tariffs.ts'

const day = 86_400_000 // ms
const staff = 'staff@example.test'
/** What a correction may be refused for. */
const refusals = ['usage_below_zero', 'nothing_counted', 'day_not_correctable', 'correction_undone']

export type House = Awaited<ReturnType<typeof openCorrectingHouse>>
export type Random = ReturnType<typeof seeded>
type Session = { id: string; began: number; last: number; up: number; down: number; mccmnc: string }
type Payment = { id: string; amount: number; credit_id: string; looks: number }

/** One account and what happens to it, at random. */
export class Customer {
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

  /** A session's report: of a new one, which may be reported days late, or of one that goes on. */
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
    const reported = {
      event_at: session.last,
      session_time: (session.last - session.began) / 1000,
      mccmnc: session.mccmnc || null,
      rat: 'LTE',
    }
    const counted = { counter_up: session.up, counter_down: session.down }
    expect(await stored(this.house, readingOf(this.house, sim, { acct_session_id: session.id, ...reported, ...counted }))).toBe(true)
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
    const returned = { refunded_micros: refunded * 10_000, disputed_micros: disputed * 10_000, pay_backs: [], failed_pay_backs: [] }
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
