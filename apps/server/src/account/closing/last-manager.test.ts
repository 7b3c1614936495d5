import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAccount, getClosing } from '@masthead/contract/account/closing-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { hashPassword } from '../../auth/index.ts'
import { password } from '../test-person.ts'

let house: House
let password_hash: string
beforeAll(async () => {
  house = await openHouse()
  password_hash = await hashPassword(password)
})
afterAll(() => house[Symbol.asyncDispose]())

async function newCustomer(name: string): Promise<Person> {
  const owner = await house.newOwner(name)
  await house.db.updateTable('person').set({ password_hash }).where('email', '=', owner.email).execute()
  return owner
}
const close = (person: Person) => person.call(closeAccount, { body: { password, confirmation: person.email } })

test('the last one who manages staff does not close', async () => {
  const boss = await newCustomer('boss')
  await house.db.updateTable('person').set({ permissions: [] }).where('email', '<>', boss.email).execute()
  await house.db
    .updateTable('person')
    .set({ permissions: ['backoffice', 'manage_staff'] })
    .where('email', '=', boss.email)
    .execute()
  expect(await close(boss)).toMatchObject({ status: 409, body: { code: 'last_staff_manager' } })
  expect((await boss.call(getClosing)).body.closed_at).toBeNull()
})

test('of two who manage staff and close at once, one does not', async () => {
  const pair = [await newCustomer('ann'), await newCustomer('ben')]
  const emails = pair.map(({ email }) => email)
  await house.db.updateTable('person').set({ permissions: [] }).where('email', 'not in', emails).execute()
  await house.db
    .updateTable('person')
    .set({ permissions: ['backoffice', 'manage_staff'] })
    .where('email', 'in', emails)
    .execute()
  const accounts = pair.map(({ account_id }) => account_id)
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(house.db)
    return rows[0]!.n
  }
  // Both have proved who they are, and wait for what they would change.
  const held = house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('account').select('id').where('id', 'in', accounts).forUpdate().execute()
    const answers = pair.map((person) => close(person))
    await expect.poll(waiting).toBeGreaterThanOrEqual(2)
    return answers
  })
  const answers = await Promise.all(await held)
  expect(answers.map(({ status, body: { code } }) => [status, code]).toSorted()).toEqual([
    [200, undefined],
    [409, 'last_staff_manager'],
  ])
})
