import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { expireGrants } from './expire-grants.ts'
import { findBillingAccount } from './billing-account.ts'
import { proveLedger } from './prove.ts'
import { charging, newAccount, postAll } from './test-ledger.ts'
import { watchLedger } from './watch-ledger.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const balanceOf = async (account_id: string) => (await findBillingAccount(house.app.db, account_id))!.balance_micros
const grantsOf = (account_id: string) =>
  house.db
    .selectFrom('ledger_grant')
    .select(['kind', 'amount_micros', 'remaining_micros'])
    .where('account_id', '=', account_id)
    .orderBy('transaction_id')
    .execute()
const differences = async () => (await proveLedger(house.app)).differences

test('what is posted under a key is posted once, in one call and in two', async () => {
  const account_id = await newAccount(house, 'once')
  const credit = charging(account_id, 'payment:1', 5_000_000)
  const [first, again] = await postAll(house, [credit, credit])
  const [repeated] = await postAll(house, [{ ...credit, amount_micros: charging(account_id, '', 9).amount_micros }])
  expect(again!.id).toBe(first!.id)
  expect(repeated).toEqual({ ...first, repeated: true })
  expect(await balanceOf(account_id)).toBe(5_000_000)
})

test('many accounts and many postings at once: each balance goes its own way', async () => {
  const [one, two] = [await newAccount(house, 'one'), await newAccount(house, 'two')]
  const posted = await postAll(house, [
    charging(one, 'a', 10_000_000),
    charging(two, 'a', 3_000_000),
    charging(one, 'b', -4_000_001),
    charging(two, 'b', -5_000_000),
    charging(one, 'c', 1_000_000),
  ])
  expect(posted.map(({ balance_after_micros }) => balance_after_micros)).toEqual([10_000_000, 3_000_000, 5_999_999, -2_000_000, 6_999_999])
  expect(await balanceOf(two)).toBe(-2_000_000)
  await postAll(house, [charging(two, 'c', 5_000_000)])
  // What was owed is paid from it.
  expect(await grantsOf(two)).toMatchObject([{ remaining_micros: 0 }, { remaining_micros: 3_000_000 }])
  expect(await differences()).toEqual([])
})

test('two hundred credits, charges and purchases of one account, each a transaction of its own begun in one moment: as if one came after another', async () => {
  const account_id = await newAccount(house, 'at once')
  const amounts = [300_000, -100_000, -250_000]
  const moved = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const refusable = i % 3 === 2
      const posted = postAll(house, [charging(account_id, `n${i}`, amounts[i % 3]!, { refusable })])
      const refused = (error: unknown) => {
        expect(error).toMatchObject({ kind: { code: 'balance_too_low' } })
        return [null]
      }
      const [done] = refusable ? await posted.catch(refused) : await posted
      return done ? { amount: amounts[i % 3]!, after: done.balance_after_micros, refusable } : null
    })
  )
  const done = moved.filter((each) => each !== null)
  expect(done.length).toBeGreaterThan(134) // all credits and charges, and some of the purchases
  expect(await balanceOf(account_id)).toBe(done.reduce((sum, { amount }) => sum + amount, 0))
  for (const { after, refusable } of done) if (refusable) expect(after).toBeGreaterThanOrEqual(0)
  expect(await differences()).toEqual([])
})

test('what may be refused is refused below the limit, and leaves nothing; what has happened is not', async () => {
  const account_id = await newAccount(house, 'limit')
  await postAll(house, [charging(account_id, 'a', 1_000_000)])
  const buy = postAll(house, [
    charging(account_id, 'b', -400_000),
    charging(account_id, 'c', -700_000, { refusable: true, names_amounts: true }),
  ])
  await expect(buy).rejects.toThrow('This costs $0.70 and the balance is $0.60')
  expect(await balanceOf(account_id)).toBe(1_000_000)
  await postAll(house, [charging(account_id, 'd', -1_700_000)])
  expect(await balanceOf(account_id)).toBe(-700_000)
})

test('an account without billing is charged nothing', async () => {
  const { account_id } = await house.newOwner('off')
  await expect(postAll(house, [charging(account_id, 'a', -1)])).rejects.toThrow('Billing is not switched on')
  expect(await findBillingAccount(house.app.db, account_id)).toBeNull()
})

const nothingMore = async () => false

test('credits that were given are spent first, then those that end sooner; what is left at their end expires once', async () => {
  const account_id = await newAccount(house, 'grants')
  const at = house.clock.now().getTime()
  const given = (days: number) => ({ kind: 'granted' as const, expires_at: new Date(at + days * 86_400_000) })
  await postAll(house, [
    charging(account_id, 'bought', 10_000_000),
    charging(account_id, 'late', 2_000_000, { against: 'granted', grant: given(9) }),
    charging(account_id, 'soon', 2_000_000, { against: 'granted', grant: given(1) }),
    charging(account_id, 'use', -3_000_000),
  ])
  const left = async () => (await grantsOf(account_id)).map(({ remaining_micros }) => remaining_micros)
  expect(await left()).toEqual([10_000_000, 1_000_000, 0])
  house.clock.set(new Date(at + 10 * 86_400_000))
  await Promise.all([expireGrants(house.app, nothingMore), expireGrants(house.app, nothingMore)])
  await expireGrants(house.app, nothingMore)
  expect(await left()).toEqual([10_000_000, 0, 0])
  expect(await balanceOf(account_id)).toBe(10_000_000)
  expect(await differences()).toEqual([])
})

test('credits whose time is over pay for no purchase, and for usage of before; that of after is paid by what has not ended', async () => {
  const account_id = await newAccount(house, 'ended')
  const at = house.clock.now()
  const ends = new Date(at.getTime() + 3_600_000)
  await postAll(house, [
    charging(account_id, 'gift', 2_000_000, { against: 'granted', grant: { kind: 'granted', expires_at: ends } }),
    charging(account_id, 'bought', 1_000_000),
  ])
  house.clock.set(ends)
  const left = async () => (await grantsOf(account_id)).map(({ remaining_micros }) => remaining_micros)
  const buy = postAll(house, [charging(account_id, 'pool', -1_500_000, { refusable: true, names_amounts: true })])
  await expect(buy).rejects.toThrow('This costs $1.50 and $1.00 of the balance can be spent')
  await postAll(house, [charging(account_id, 'after', -400_000, { source: 'usage', usage_from: ends })])
  expect(await left()).toEqual([2_000_000, 600_000])
  await postAll(house, [charging(account_id, 'before', -300_000, { source: 'usage', usage_from: at })])
  expect(await left()).toEqual([1_700_000, 600_000])
  await postAll(house, [charging(account_id, 'small', -600_000, { refusable: true })])
  expect(await left()).toEqual([1_700_000, 0])
  await expireGrants(house.app, nothingMore)
  expect(await balanceOf(account_id)).toBe(0)
  expect(await differences()).toEqual([])
})

test('sixteen clients on one balance lose nothing, and none is let below the limit', async () => {
  const account_id = await newAccount(house, 'many')
  await postAll(house, [charging(account_id, 'start', 100_000)])
  const client = async (name: number) => {
    let bought = 0
    for (let i = 0; i < 25; i++) {
      const buy = charging(account_id, `${name}/${i}`, -1_000, { refusable: true })
      await postAll(house, [buy]).then(
        () => (bought += 1),
        (error: Error) => expect(error.message).toContain('Add credits first')
      )
      // The same once more, by somebody who did not get the answer.
      if (i % 5 === 0) await postAll(house, [buy]).catch(() => {})
    }
    return bought
  }
  const bought = await Promise.all(Array.from({ length: 16 }, (_, name) => client(name)))
  expect(bought.reduce((sum, each) => sum + each)).toBe(100)
  expect(await balanceOf(account_id)).toBe(0)
  expect(await differences()).toEqual([])
})

test('the database refuses to change, to remove and to add what does not balance', async () => {
  const account_id = await newAccount(house, 'refused')
  const [{ id } = { id: '' }] = await postAll(house, [charging(account_id, 'a', 1_000_000)])
  for (const table of ['ledger_transaction', 'ledger_entry']) {
    const refused = /append-only|permission denied/
    await expect(sql`update ${sql.table(table)} set amount_micros = 5`.execute(house.db)).rejects.toThrow(refused)
    await expect(sql`delete from ${sql.table(table)}`.execute(house.db)).rejects.toThrow(refused)
    await expect(sql`truncate ${sql.table(table)}`.execute(house.db)).rejects.toThrow(refused)
  }
  const add = (transaction_id: string, lines: [string, number][]) =>
    house.app.db.transaction().execute(async (tx) => {
      for (const [i, [ledger_account, amount]] of lines.entries())
        await sql`insert into ledger_entry values (${account_id}, ${transaction_id}, ${10 + i}, ${ledger_account}, ${amount})`.execute(tx)
    })
  await expect(add(id, [['cash', 1]])).rejects.toThrow('does not balance')
  await expect(add('led_none', [['cash', 1], ['tax', -1]])).rejects.toThrow('does not balance') // prettier-ignore
  await expect(add(id, [['customer_balance', 1], ['cash', -1]])).rejects.toThrow('does not balance') // prettier-ignore
  const bare = sql`insert into ledger_transaction select (jsonb_populate_record(t, '{"id": "led_bare", "key": "bare", "number": 99}')).* from ledger_transaction t
    where id = ${id}`
  await expect(bare.execute(house.db)).rejects.toThrow('does not balance')
  expect(await differences()).toEqual([])
})

test('whatever is changed behind its back is found, each time, and notified to those who manage billing until it agrees again', async () => {
  const staff = await house.newOwner('keeper', { staff: ['backoffice', 'manage_billing'] })
  const account_id = await newAccount(house, 'drift')
  await postAll(
    house,
    Array.from({ length: 40 }, (_, i) => charging(account_id, `k${i}`, i % 4 === 0 ? 1_000_000 : -200_000))
  )
  const ofAccount = sql`account_id = ${account_id}`
  const some = (table: string, i: number) =>
    sql`ctid = (select ctid from ${sql.table(table)} where ${ofAccount} order by ctid offset ${i} limit 1)`
  const changes = [
    (i: number) => sql`update ledger_entry set amount_micros = amount_micros + 1 where ${some('ledger_entry', i)}`,
    (i: number) => sql`delete from ledger_entry where ${some('ledger_entry', i)}`,
    (i: number) => sql`update ledger_transaction set amount_micros = amount_micros - 7 where ${some('ledger_transaction', i)}`,
    (i: number) => sql`delete from ledger_transaction where ${some('ledger_transaction', i)}`,
    (i: number) =>
      sql`update ledger_transaction set balance_after_micros = balance_after_micros + 1 where ${some('ledger_transaction', i)}`,
    (i: number) => sql`update billing_account set balance_micros = balance_micros + ${i + 1} where ${ofAccount}`,
    (
      i: number
    ) => sql`update ledger_grant set remaining_micros = case when remaining_micros > ${i + 1} then remaining_micros - ${i + 1} else 1 end
      where ${some('ledger_grant', i % 10)}`,
  ]
  expect(await differences()).toEqual([])
  let found = 0
  for (let i = 0; i < 20; i++) {
    const undo = new Error('undo')
    await house.app.db
      .transaction()
      .execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql`grant update, delete on ledger_transaction, ledger_entry to current_user`.execute(tx)
        await changes[i % changes.length]!(i).execute(tx)
        const db = Object.assign(Object.create(tx), { snapshot: (read: (db: typeof tx) => unknown) => read(tx) })
        const proof = await proveLedger({ ...house.app, db })
        if (proof.differences.some((each) => each.account_id === account_id)) found += 1
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
  }
  expect(found).toBe(20)
  const alerts = () =>
    house.db.selectFrom('alert').select(['title', 'count', 'resolved_at']).where('account_id', '=', staff.account_id).execute()
  await sql`update billing_account set balance_micros = balance_micros + 1 where ${ofAccount}`.execute(house.db)
  await watchLedger(house.app)
  await watchLedger(house.app)
  expect(await alerts()).toMatchObject([{ title: 'The books of the ledger do not agree', count: 2, resolved_at: null }])
  await sql`update billing_account set balance_micros = balance_micros - 1 where ${ofAccount}`.execute(house.db)
  await watchLedger(house.app)
  expect((await alerts())[0]!.resolved_at).not.toBeNull()
})
