import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as codes from '@masthead/contract/terminal/access-code-operations'
import * as ops from '@masthead/contract/terminal/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import type { Actor } from '../../kernel/app.ts'
import { mayBeAt } from './access-code.ts'
import { putAgent } from '../../devices/agent/test-agent.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

async function newDevice() {
  const owner = await house.newOwner()
  const { asset_id, device_id } = await putAgent(house, owner)
  await house.db
    .updateTable('device')
    .set({ online: true } as never)
    .where('id', '=', device_id)
    .execute()
  const params = { asset_id }
  return {
    owner,
    params,
    opens: (person: Person, code?: string) =>
      person.call(ops.openTerminal, { params, body: { cols: 80, rows: 24, ...(code !== undefined && { code }) } }),
    sets: (person: Person, code: string) => person.call(codes.updateAccessCode, { params, body: { code } }),
  }
}

test('a terminal opens with the code alone, for everybody, once one is set; it is shown to nobody', async () => {
  const { owner, params, opens, sets } = await newDevice()
  expect((await opens(owner)).status).toBe(200)
  expect((await sets(owner, 'short')).body).toMatchObject({ fields: { code: 'At least 6 characters' } })
  const set = await sets(owner, 'open sesame')
  expect(set.body).toMatchObject({ is_set: true, set_by: owner.email })
  const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
  for (const op of [codes.getAccessCode, codes.getDeviceAccessCode]) {
    const shown = await member.call(op, { params })
    expect(shown.body).toEqual(set.body)
    expect(shown.text).not.toMatch(/open sesame|argon2/)
  }
  expect((await sets(member, 'another code')).status).toBe(403)
  for (const person of [owner, member]) {
    expect(await opens(person)).toMatchObject({ status: 409, body: { code: 'access_code_needed' } })
    expect(await opens(person, 'wrong')).toMatchObject({ status: 409, body: { code: 'access_code_wrong' } })
    expect((await opens(person, 'open sesame')).status).toBe(200)
  }
  const { code_hash } = await house.db.selectFrom('terminal_code').select('code_hash').executeTakeFirstOrThrow()
  expect(code_hash).toMatch(/^\$argon2id\$/)
  expect((await owner.call(codes.removeAccessCode, { params })).body).toEqual({ is_set: false, set_by: null, set_at: null })
  expect((await owner.call(codes.removeAccessCode, { params })).status).toBe(200)
  expect((await opens(member)).status).toBe(200)
  const names = (await house.events(owner.account_id)).map(({ name }) => name).filter((name) => name.includes('access_code'))
  // All in one millisecond: they have no order.
  expect(names.toSorted()).toEqual([
    'terminal.access_code_mistyped',
    'terminal.access_code_mistyped',
    'terminal.access_code_removed',
    'terminal.access_code_set',
  ])
}, 60_000)

test('after five wrong codes one waits, with the right one too; another person does not', async () => {
  const { owner, opens, sets } = await newDevice()
  await sets(owner, 'open sesame')
  const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const statuses = []
  for (let n = 0; n < 6; n++) statuses.push((await opens(member, `guess ${n}`)).status)
  expect(statuses).toEqual([409, 409, 409, 409, 409, 429])
  expect((await opens(member, 'open sesame')).status).toBe(429)
  expect((await opens(owner, 'open sesame')).status).toBe(200)
  house.clock.advance({ minutes: 16 })
  expect((await opens(member, 'open sesame')).status).toBe(200)
}, 60_000)

test('several persons who mistype keep nobody out who knows the code', async () => {
  const { owner, opens, sets } = await newDevice()
  await sets(owner, 'open sesame')
  for (let nth = 0; nth < 5; nth++) {
    const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
    const statuses = await Promise.all(Array.from({ length: 6 }, (_, n) => opens(member, `guess ${n}`).then(({ status }) => status)))
    expect(statuses.toSorted()).toEqual([409, 409, 409, 409, 409, 429])
  }
  expect((await opens(owner, 'open sesame')).status).toBe(200)
}, 90_000)

test('another code that is set while somebody gives the one before asks them all the same', async () => {
  const { owner, opens, sets } = await newDevice()
  await sets(owner, 'open sesame')
  const { id } = (await opens(owner, 'open sesame')).body
  const watcher = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = house.db.transaction().execute(async (tx) => {
    await sql`select from terminal_session where id = ${id} for update`.execute(tx)
    held.resolve()
    await release.promise
  })
  await held.promise
  const isBlocked = (count: number) =>
    vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        house.db
      )
      expect(rows).toHaveLength(count)
    }, 20_000)
  const joining = watcher.call(ops.joinTerminal, { params: { terminal_id: id }, body: { code: 'open sesame' } })
  // The code was right, and that is about to be written.
  await isBlocked(1)
  const setting = sets(owner, 'open barley')
  await Promise.race([setting, isBlocked(2)])
  release.resolve()
  await holding
  expect([(await joining).status, (await setting).status]).toEqual([200, 200])
  const { code_given_by } = await house.db
    .selectFrom('terminal_session')
    .select('code_given_by')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(code_given_by).toEqual([])
}, 60_000)

test('who watches needs the code as well, once for each session; who opened it does not', async () => {
  const { owner, params, opens, sets } = await newDevice()
  const { body: session } = await opens(owner)
  const terminal = { params: { terminal_id: session.id } }
  const [watcher, other] = [await house.newMember(owner, ['assets.view', 'terminal.open']), await house.newMember(owner, ['terminal.open'])]
  const joins = (person: Person, code?: string) => person.call(ops.joinTerminal, { ...terminal, body: code === undefined ? {} : { code } })
  const may = async (person: Person) => {
    const { id: person_id } = await house.db.selectFrom('person').select('id').where('email', '=', person.email).executeTakeFirstOrThrow()
    return mayBeAt(house.db, { account_id: owner.account_id, person_id } as Actor, session.id)
  }
  expect([(await joins(watcher)).status, await may(watcher)]).toEqual([200, true])
  await sets(owner, 'open sesame')
  expect([await may(owner), await may(watcher), await may(other)]).toEqual([true, false, false])
  expect(await joins(watcher)).toMatchObject({ status: 409, body: { code: 'access_code_needed' } })
  expect(await joins(watcher, 'wrong')).toMatchObject({ status: 409, body: { code: 'access_code_wrong' } })
  expect(await may(watcher)).toBe(false)
  expect((await joins(watcher, 'open sesame')).body).toMatchObject({ id: session.id })
  expect([await may(watcher), await may(other), (await joins(watcher)).status]).toEqual([true, false, 200])
  // Another code is asked for again, also where there was none in between.
  await sets(owner, 'open barley')
  expect([await may(watcher), await may(owner)]).toEqual([false, true])
  expect((await joins(watcher, 'open sesame')).body).toMatchObject({ code: 'access_code_wrong' })
  expect((await joins(watcher, 'open barley')).status).toBe(200)
  await owner.call(codes.removeAccessCode, { params })
  await sets(owner, 'open sesame')
  expect(await may(watcher)).toBe(false)
  expect((await joins(watcher, 'open sesame')).status).toBe(200)
  expect((await joins(owner)).status).toBe(200)
  const blind = await house.newMember(owner, ['assets.view'])
  expect((await joins(blind, 'open sesame')).status).toBe(403)
  const stranger = await house.newOwner()
  expect((await joins(stranger, 'open sesame')).status).toBe(404)
  // Of another session the same person is asked again.
  const next = (await opens(owner, 'open sesame')).body
  expect((await watcher.call(ops.joinTerminal, { params: { terminal_id: next.id }, body: {} })).body).toMatchObject({
    code: 'access_code_needed',
  })
})
