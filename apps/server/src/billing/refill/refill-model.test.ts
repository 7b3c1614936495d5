import { seeded } from '@masthead/testkit/seeded'
import { expect, test } from 'vitest'
import { micros } from '@masthead/contract/billing/money'
import { systemActor } from '../../kernel/app.ts'
import { findBillingAccount, findLedgerDifferences } from '../ledger/index.ts'
import { charging, postAll } from '../ledger/test-ledger.ts'
import { makeCardDefault } from '../cards/change-cards.ts'
import { beginTopUp } from '../payments/index.ts'
import { settlePayment } from '../payments/settle-payment.ts'
import { startTopUp } from '../payments/start-top-up.ts'
import { keepCard, newBuyer, openShop } from '../payments/test-buyer.ts'
import { setBalanceWarnings, setRefill } from './change-rules.ts'
import { refillBalance } from './refill-balance.ts'
import { watchBalances } from './watch-balances.ts'

const histories = Number(process.env.MASTHEAD_HISTORIES ?? 200)
const hour = 3_600_000
const day = 24 * hour

type Payment = { at: number; amount: bigint; by: 'hand' | 'refill'; paid: boolean }
type Rule = { on: boolean; mode: 'fixed' | 'target'; below: bigint; amount: bigint; limit: bigint; since: number }

/** What the account is to have, by going through all that ever happened to it each time. */
class Slow {
  moves: bigint[] = []
  payments: Payment[] = []
  rule: Rule | null = null
  unsettled = 0n
  isGood = true

  balance = () =>
    this.moves.reduce((sum, amount) => sum + amount, 0n) + this.payments.reduce((sum, { paid, amount }) => sum + (paid ? amount : 0n), 0n)

  failures(): Payment[] {
    const bought = Math.max(-Infinity, ...this.payments.filter(({ paid }) => paid).map(({ at }) => at))
    return this.payments.filter(({ by, paid, at }) => by === 'refill' && !paid && at >= this.rule!.since && at > bought)
  }

  look(at: number): void {
    const { rule } = this
    if (!rule?.on) return
    if (this.failures().length >= 3) rule.on = false
    const left = this.balance() - this.unsettled
    const last = Math.max(-Infinity, ...this.failures().map((each) => each.at))
    if (!rule.on || left >= rule.below || last > at - day) return
    const month = new Date(at).toISOString().slice(0, 7)
    const charged = this.payments
      .filter((each) => each.by === 'refill' && each.paid && new Date(each.at).toISOString().startsWith(month))
      .reduce((sum, { amount }) => sum + amount, 0n)
    const amount = this.amountOf(rule, left, rule.limit - charged)
    if (amount > 0n) this.payments.push({ at, amount, by: 'refill', paid: this.isGood })
  }

  /** Step by step, to the first whole cent that is enough. */
  amountOf(rule: Rule, left: bigint, room: bigint): bigint {
    let amount = rule.mode === 'fixed' ? rule.amount : 0n
    // In large steps first, which never go beyond.
    if (rule.mode === 'target')
      for (const step of [100_000_000n, 1_000_000n, 10_000n]) while (left + amount + step < rule.amount + 10_000n) amount += step
    if (amount < 10_000_000n) amount = 10_000_000n
    if (amount <= room) return amount
    const cents = room - (room % 10_000n)
    return rule.mode === 'target' && cents >= 10_000_000n ? cents : 0n
  }
}

test(`${histories} random histories with auto-refill end at the same micro, payment by payment`, async () => {
  await using shop = await openShop()
  const { house } = shop
  const { app } = house
  const buyer = await newBuyer(shop, 'model')
  const { person } = buyer
  const { account_id } = person
  const declined = await keepCard(shop, person, '4000000000000341')
  const slow = new Slow()
  await house.db.insertInto('charge_account').values({ account_id }).execute()
  const actor = () => systemActor(account_id, app.clock.now())
  let posted = 0

  const look = async () => {
    const at = app.clock.now()
    await app.db.transaction().execute((tx) => watchBalances(tx, at))
    // The job may run several times, and at once.
    await Promise.all([refillBalance(app, { account_id }), refillBalance(app, { account_id })])
    const open = await house.db
      .selectFrom('top_up')
      .select(['id', 'provider_id'])
      .where('account_id', '=', account_id)
      .where('state', '=', 'preparing')
      .execute()
    expect(open.length).toBeLessThan(2)
    for (const { id } of open) {
      await startTopUp(app, { account_id, id })
      const { provider_id } = await house.db.selectFrom('top_up').select('provider_id').where('id', '=', id).executeTakeFirstOrThrow()
      if (provider_id) await settlePayment(app, { provider_id })
    }
    slow.look(at.getTime())
  }

  for (let seed = 1; seed <= histories; seed++) {
    const random = seeded(seed)
    for (let step = random.whole(1, 6); step > 0; step--) {
      // No two things happen in one moment.
      house.clock.advance({ seconds: random.one([1, 61, 7000, 90_000, 90_000, 400_000]) })
      const at = app.clock.now().getTime()
      const what = random.whole(0, 9)
      if (what <= 3) {
        const amount = -random.whole(1, random.one([30_000_000, 400_000_000]))
        await postAll(house, [charging(account_id, `model ${++posted}`, amount)])
        slow.moves.push(BigInt(amount))
      } else if (what === 4) {
        slow.unsettled = BigInt(random.whole(0, 50_000_000))
        await house.db
          .updateTable('charge_account')
          .set({ unsettled_micros: Number(slow.unsettled) })
          .where('account_id', '=', account_id)
          .execute()
      } else if (what === 5) {
        slow.isGood = random.one([true, false])
        const card_id = slow.isGood ? buyer.card_id : declined
        await app.db.transaction().execute((tx) => makeCardDefault(tx, actor(), card_id))
      } else if (what === 6) {
        const amount_micros = micros(random.whole(1000, 30_000) * 10_000)
        const paid = random.whole(0, 3) > 0
        const begun = await app.db.transaction().execute((tx) =>
          beginTopUp(tx, {
            account_id,
            amount_micros,
            card_id: paid ? buyer.card_id : declined,
            source: 'card',
            by: person.email,
            at: app.clock.now(),
          })
        )
        await startTopUp(app, { account_id, id: begun.id })
        slow.payments.push({ at, amount: BigInt(amount_micros), by: 'hand', paid })
      } else if (what <= 8) {
        const mode = random.one(['fixed', 'target'] as const)
        const below = random.whole(100, 20_000) * 10_000
        const amount = mode === 'fixed' ? random.whole(1000, 20_000) * 10_000 : below + random.whole(1, 30_000) * 10_000 + 10_000_000
        const limit = Math.max(mode === 'fixed' ? amount : 10_000_000, random.whole(1000, 200_000) * 10_000)
        const is_on = random.whole(0, 4) > 0
        await app.db
          .transaction()
          .execute((tx) => setRefill(tx, actor(), { is_on, mode, below_micros: below, amount_micros: amount, month_limit_micros: limit }))
        slow.rule = { on: is_on, mode, below: BigInt(below), amount: BigInt(amount), limit: BigInt(limit), since: at }
      } else {
        const warn = random.whole(1000, 30_000) * 10_000
        await app.db
          .transaction()
          .execute((tx) => setBalanceWarnings(tx, actor(), { warn_micros: warn, urgent_micros: Math.floor(warn / 20_000) * 10_000 }))
      }
      await look()
      const { balance_micros } = (await findBillingAccount(app.db, account_id))!
      const rule = await house.db.selectFrom('balance_rule').selectAll().where('account_id', '=', account_id).executeTakeFirst()
      expect({ seed, step, balance: BigInt(balance_micros), on: rule?.refill_on ?? false }).toEqual({
        seed,
        step,
        balance: slow.balance(),
        on: slow.rule?.on ?? false,
      })
    }
  }
  const { count } = await house.db
    .selectFrom('top_up')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(slow.payments.length)
  const refills = slow.payments.filter(({ by }) => by === 'refill')
  for (const was of [true, false]) expect(refills.filter(({ paid }) => paid === was).length).toBeGreaterThan(histories / 20)
  expect(await findLedgerDifferences(app.db)).toEqual([])
}, 36_000_000)
