import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getChain, listActivities } from '@masthead/contract/activities/operations'
import { updateAccount } from '@masthead/contract/account/details-operations'
import { permissions } from '@masthead/contract/kernel/permission'
import { createTag } from '@masthead/contract/tags/operations'
import { tagCreated } from '@masthead/contract/tags/events'
import { systemActor, type Tx } from '@masthead/server/kernel/app'
import { record } from '@masthead/server/kernel/record'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { newKey } from '../developers/test-keys.ts'
import { runCommand } from '../command.ts'
import { proveActivities } from './prove-activities.ts'
import { chainEvents } from './chain-events.ts'
import { verifyActivities } from './verify-activities.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const happen = (tx: Tx, { account_id }: Person, name: string) =>
  record(tx, systemActor(account_id, house.clock.now()), tagCreated, { tag_id: name, tag_name: name })

/** An account on which this happened, with its chain. */
async function newAccount(...names: string[]) {
  const owner = await house.newOwner()
  const ids: string[] = []
  for (const name of names) {
    ids.push(await house.db.transaction().execute((tx) => happen(tx, owner, name)))
    house.clock.advance({ minutes: 10 })
  }
  await chainEvents(house.app)
  return { owner, ids }
}

/** What somebody with the database in hand can do. */
async function tamper(change: (tx: Tx) => Promise<unknown>) {
  await house.db.transaction().execute(async (tx) => {
    for (const table of ['event', 'event_seal']) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
    await change(tx)
    for (const table of ['event', 'event_seal']) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx)
  })
}

const verify = ({ account_id }: Person, head?: { number: number; hash: string }) =>
  verifyActivities(house.app, account_id, { head: head ?? null })

test('what happened is chained in its order, and shown with its entry', async () => {
  const { owner, ids } = await newAccount('a', 'b', 'c')
  const { body } = await owner.call(listActivities)
  expect(body.items.map(({ id, entry }) => [id, entry?.number])).toEqual(ids.map((id, i) => [id, i + 1]).reverse())
  const chain = (await owner.call(getChain)).body
  expect(chain).toMatchObject({ number: 3, hash: body.items[0]!.entry!.hash })
  expect(await verify(owner)).toEqual({ account_id: owner.account_id, number: 3, hash: chain.hash, waiting: 0, findings: [], found: 0 })
})

test('whoever does not read all activities is shown the newest entry that they read, and not how many there are', async () => {
  const { owner } = await newAccount('a')
  const id = (await owner.call(createTag, { body: { name: 'theirs' } })).body.id
  await owner.call(updateAccount, { body: { team_name: 'Renamed' } })
  await house.db.transaction().execute((tx) => happen(tx, owner, 'b'))
  await chainEvents(house.app)
  const members = [[], ['profile.view'], ['assets.view']] as const
  const newest = async (reader: Pick<Person, 'call'>) => {
    const { entry } = (await reader.call(listActivities, { query: { page_size: 1 } })).body.items[0] ?? {}
    return [(await reader.call(getChain)).body, { number: entry?.number ?? 0, hash: entry?.hash ?? null, chained_at: null }]
  }
  const { call } = await newKey(house, owner, ['overview.view', 'profile.view'])
  const readers: Pick<Person, 'call'>[] = [{ call: call as Person['call'] }]
  for (const held of members) readers.push(await house.newMember(owner, held))
  readers.push(await house.newMember(owner, Object.keys(permissions), [id]))
  const told: number[] = []
  for (const reader of readers) {
    const [chain, entry] = await newest(reader)
    expect(chain).toEqual(entry)
    told.push(chain!.number)
  }
  expect((await owner.call(getChain)).body.number).toBe(4)
  expect(told).toEqual([3, 0, 3, 4, 3])
})

test('an account on which nothing happened has an empty chain', async () => {
  const owner = await house.newOwner()
  expect((await owner.call(getChain)).body).toEqual({ number: 0, hash: null, chained_at: null })
  expect(await verify(owner)).toMatchObject({ number: 0, hash: '', found: 0 })
})

test('the log and its chain refuse to be changed', async () => {
  const { owner, ids } = await newAccount('a')
  for (const change of [
    sql`update event set actor_email = 'x' where id = ${ids[0]!}`,
    sql`delete from event where id = ${ids[0]!}`,
    sql`truncate event`,
    sql`update event_seal set number = 7 where event_id = ${ids[0]!}`,
    sql`delete from event_seal where event_id = ${ids[0]!}`,
    sql`truncate event_seal`,
  ])
    await expect(change.execute(house.db)).rejects.toThrow(/append-only/)
  expect(await verify(owner)).toMatchObject({ found: 0 })
})

test('writers of one account do not wait for each other, and the one who commits late is not missed', async () => {
  const { owner } = await newAccount()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let wrote = () => {}
  const written = new Promise<void>((resolve) => (wrote = resolve))
  const slow = house.db.transaction().execute(async (tx) => {
    await happen(tx, owner, 'slow')
    wrote()
    await held
  })
  await written
  // Would stand still here if it waited for the other.
  await house.db.transaction().execute((tx) => happen(tx, owner, 'quick'))
  await chainEvents(house.app)
  expect(await verify(owner)).toMatchObject({ number: 1, waiting: 0, found: 0 })
  release()
  await slow
  expect(await verify(owner)).toMatchObject({ number: 1, waiting: 1, found: 0 })
  await chainEvents(house.app)
  expect(await verify(owner)).toMatchObject({ number: 2, waiting: 0, found: 0 })
})

test('two at once who chain make one chain', async () => {
  const { owner } = await newAccount()
  await house.db.transaction().execute(async (tx) => {
    for (let i = 0; i < 50; i++) await happen(tx, owner, String(i))
  })
  await Promise.all(Array.from({ length: 4 }, () => chainEvents(house.app)))
  expect(await verify(owner)).toMatchObject({ number: 50, found: 0 })
})

const changed: [string, RegExp, (tx: Tx, owner: Person, ids: string[]) => Promise<unknown>][] = [
  [
    'an altered activity',
    /^entry 2, .* altered/,
    (tx, _, [, second]) => sql`update event set detail = '{"tag_id":"b","tag_name":"B"}' where id = ${second!}`.execute(tx),
  ],
  [
    'another time of an activity',
    /^entry 2, .* altered/,
    (tx, _, [, second]) => sql`update event set at = at + interval '1 second' where id = ${second!}`.execute(tx),
  ],
  ['a removed activity', /^entry 2, .* removed/, (tx, _, [, second]) => sql`delete from event where id = ${second!}`.execute(tx)],
  [
    'a removed activity with its entry',
    /^entry 2: Entries before 3 were removed/,
    async (tx, _, [, second]) => {
      await sql`delete from event where id = ${second!}`.execute(tx)
      await sql`delete from event_seal where event_id = ${second!}`.execute(tx)
    },
  ],
  [
    'two that changed places',
    /^entry 1, .* stands in its place/,
    async (tx, { account_id }, [first, second]) => {
      const put = (id: string, number: number) =>
        sql`update event_seal set number = ${number} where account_id = ${account_id} and event_id = ${id}`.execute(tx)
      await put(first!, 100)
      await put(second!, 1)
      await put(first!, 2)
    },
  ],
  [
    'the newest one removed with its entry',
    /^entry 2: The chain ends at entry 2, though it had 3/,
    async (tx, _, [, , third]) => {
      await sql`delete from event where id = ${third!}`.execute(tx)
      await sql`delete from event_seal where event_id = ${third!}`.execute(tx)
    },
  ],
  [
    'one put in past the product',
    /never came into the chain/,
    (tx, { account_id }) =>
      sql`insert into event select account_id, 'evt_0', at, category, action, actor_kind, actor_email, asset_id, ip, request_id, detail
        from event where account_id = ${account_id} limit 1`.execute(tx),
  ],
]

test.each(changed)('%s is found', async (_, told, change) => {
  const { owner, ids } = await newAccount('a', 'b', 'c')
  expect(await verify(owner)).toMatchObject({ found: 0 })
  await tamper((tx) => change(tx, owner, ids))
  const { whole, lines } = await proveActivities(house.app, { email: owner.email })
  expect(whole).toBe(false)
  expect(lines[0]).toMatch(/not as they were written:$/)
  expect(lines[1]!.trim()).toMatch(told)
})

test('one that was added later with an old time is found', async () => {
  const { owner } = await newAccount('a', 'b', 'c')
  house.clock.advance({ days: 1 })
  await house.db.transaction().execute((tx) => happen(tx, owner, 'd'))
  const long_ago = systemActor(owner.account_id, new Date(house.clock.now().getTime() - 90_000_000))
  await house.db.transaction().execute((tx) => record(tx, long_ago, tagCreated, { tag_id: 'x', tag_name: 'x' }))
  await chainEvents(house.app)
  expect((await verify(owner)).findings).toEqual([
    { number: 5, event_id: expect.any(String), words: expect.stringMatching(/was written after/) },
  ])
})

test('one that is gone before it was chained is found', async () => {
  const { owner } = await newAccount('a')
  const id = await house.db.transaction().execute((tx) => happen(tx, owner, 'b'))
  await tamper((tx) => sql`delete from event where id = ${id}`.execute(tx))
  await chainEvents(house.app)
  expect((await verify(owner)).findings).toEqual([{ number: 2, event_id: id, words: 'The activity was removed' }])
})

test('a chain written anew does not have the entry that was noted', async () => {
  const { owner, ids } = await newAccount('a', 'b')
  const noted = (await owner.call(getChain)).body as { number: number; hash: string }
  expect(await verify(owner, noted)).toMatchObject({ found: 0 })
  await tamper(async (tx) => {
    await sql`update event set actor_email = 'nobody@x.test' where id = ${ids[0]!}`.execute(tx)
    await sql`delete from event_seal where account_id = ${owner.account_id}`.execute(tx)
    await sql`delete from event_chain where account_id = ${owner.account_id}`.execute(tx)
    await sql`insert into event_unsealed (account_id, event_id) select account_id, id from event where account_id = ${owner.account_id}`.execute(
      tx
    )
  })
  await chainEvents(house.app)
  expect(await verify(owner)).toMatchObject({ found: 0 })
  expect((await verify(owner, noted)).findings).toEqual([{ number: 2, event_id: null, words: expect.stringMatching(/written anew/) }])
})

test('the command reports on every account, and fails when one is not whole', async () => {
  const masthead = async (...words: string[]) => {
    const [out, err]: string[][] = [[], []]
    const env = { DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: testSecretKey }
    const code = await runCommand(['activities', 'verify', ...words], {
      env,
      say: (text) => out!.push(text),
      complain: (text) => err!.push(text),
    })
    return { code, out: out!.join('\n'), err: err!.join('\n') }
  }
  const { owner, ids } = await newAccount('a', 'b')
  const { number, hash } = (await owner.call(getChain)).body
  const whole = { code: 0, err: '', out: `${owner.email}: 2 activities in the chain, all as they were written. Entry 2:${hash}` }
  expect(await masthead('--account', owner.email.toUpperCase())).toEqual(whole)
  expect(await masthead('--account', owner.email, '--head', `${number}:${hash}`)).toEqual(whole)
  expect(await masthead('--account', owner.email, '--head', `1:${hash}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('written anew'),
  })
  expect(await masthead('--account', owner.email, '--head', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('not an entry') })
  expect(await masthead('--head', `1:${hash}`)).toMatchObject({ code: 2 })
  expect(await masthead('--account', 'nobody@x.test')).toMatchObject({ code: 1, err: 'Nobody has the e-mail nobody@x.test.' })
  await tamper((tx) => sql`delete from event where id = ${ids[0]!}`.execute(tx))
  expect(await masthead()).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${owner.email}: 2 activities in the chain, 1 not as they were written:`),
  })
})
