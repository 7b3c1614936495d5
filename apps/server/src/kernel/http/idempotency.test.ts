import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateAsset } from '@masthead/contract/assets/operations'
import { switchAccount } from '@masthead/contract/auth/operations'
import { updateInvitation } from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { newKey } from '../../developers/test-keys.ts'
import type { Tx } from '../app.ts'
import { putAsset } from '../../assets/test-stock.ts'
import { newScene } from '../../test-samples.ts'
import { dropNote, keepNote, listNotes, mountNotes } from '../database/test-notes.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  mountNotes(house)
})
afterAll(() => house[Symbol.asyncDispose]())

type Body = { name: string; answer?: 'wrong' | 'problem' | 'break' }
const keep = (person: Person, key: string, body: Body, shelf = 'a', query = {}) =>
  person.call(keepNote, { params: { shelf }, query, body }, { 'idempotency-key': key })
const notes = async (person: Person) => (await person.call(listNotes)).body.map(({ name }) => name)

test('twenty repetitions at once have one effect and one answer', async () => {
  const owner = await house.newOwner()
  const answers = await Promise.all(Array.from({ length: 20 }, () => keep(owner, 'once', { name: 'one' })))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`200 ${answers[0]!.text}`]))
  expect(await notes(owner)).toEqual(['one'])
  expect(await house.events(owner.account_id)).toHaveLength(1)
})

test('without a key each call counts', async () => {
  const owner = await house.newOwner()
  await owner.call(keepNote, { params: { shelf: 'a' }, body: { name: 'one' } })
  await owner.call(keepNote, { params: { shelf: 'a' }, body: { name: 'two' } })
  expect(await notes(owner)).toEqual(['one', 'two'])
})

test('the same key with another body, query, address or call is a mistake, and changes nothing', async () => {
  const owner = await house.newOwner()
  expect((await keep(owner, 'k', { name: 'one' })).status).toBe(200)
  const others = [
    await keep(owner, 'k', { name: 'two' }),
    await keep(owner, 'k', { name: 'one' }, 'b'),
    await keep(owner, 'k', { name: 'one' }, 'a', { loud: 'yes' }),
    await owner.call(dropNote, { params: { shelf: 'a' }, body: { name: 'one' } }, { 'idempotency-key': 'k' }),
  ]
  for (const answer of others) expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  expect(await notes(owner)).toEqual(['one'])
})

test('a write that fails leaves neither effect nor key: the next try is the first', async () => {
  const owner = await house.newOwner()
  expect((await keep(owner, 'k', { name: 'one', answer: 'problem' })).status).toBe(404)
  expect((await keep(owner, 'k', { name: 'one', answer: 'break' })).status).toBe(500)
  expect(await notes(owner)).toEqual([])
  expect(await house.events(owner.account_id)).toEqual([])
  expect((await keep(owner, 'k', { name: 'one' })).status).toBe(200)
})

test('an answer that breaks the promise is our mistake and changes nothing', async () => {
  const owner = await house.newOwner()
  expect(await keep(owner, 'k', { name: 'one', answer: 'wrong' })).toMatchObject({ status: 500, body: { code: 'internal' } })
  expect(await notes(owner)).toEqual([])
})

test('keys belong to the person and the account they act on', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['assets.view', 'assets.edit'])
  for (const [person, name] of [
    [owner, 'one'],
    [member, 'two'],
    [await house.newOwner(), 'three'],
  ] as const)
    expect((await keep(person, 'shared', { name })).status).toBe(200)
  expect(await notes(owner)).toEqual(['one', 'two'])
})

test.each([
  ['', 400],
  ['x'.repeat(201), 400],
  ['x'.repeat(200), 200],
  ['ключ', 200],
])('the key "%.6s…" answers %i', async (key, status) => {
  const owner = await house.newOwner()
  expect((await keep(owner, key, { name: 'one' })).status).toBe(status)
})

test('repetitions that do not wait for each other here, as from many addresses, have one effect and one answer', async () => {
  await using spread = await openHouse({ config: { trustProxy: 1 } })
  mountNotes(spread)
  const owner = await spread.newOwner()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      owner.call(
        keepNote,
        { params: { shelf: 'a' }, query: {}, body: { name: 'one' } },
        { 'idempotency-key': 'spread', 'x-forwarded-for': `192.0.2.${at}` }
      )
    )
  )
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`200 ${answers[0]!.text}`]))
  expect((await owner.call(listNotes)).body).toHaveLength(1)
})

describe('a kept answer is given again only to whom the call would be allowed now', () => {
  const held = ['assets.view', 'assets.edit', 'overview.view']
  const setMember = (member: Person, rights: { permissions?: string[]; tags?: string[] }) =>
    house.db
      .updateTable('membership')
      .set(rights)
      .where('account_id', '=', member.account_id)
      .where('person_id', 'in', (eb) => eb.selectFrom('person').select('id').where('email', '=', member.email))
      .execute()
  const refused = { status: 403, body: { code: 'forbidden', detail: expect.stringContaining('has changed since') } }

  test.each<[string, string[], { permissions?: string[]; tags?: string[] }]>([
    ['a permission that the call does not name', [], { permissions: ['assets.view', 'assets.edit'] }],
    ['all assets are seen', [], { tags: ['tag_a'] }],
    ['one tag of two is seen', ['tag_a', 'tag_b'], { tags: ['tag_a'] }],
  ])('not when %s was taken away', async (_, tags, less) => {
    const owner = await house.newOwner()
    const { account_id } = owner
    const there = ['tag_a', 'tag_b', 'tag_c'].map((id) => ({ account_id, id, name: id, color: 'teal' }))
    await house.db.insertInto('tag').values(there).execute()
    const member = await house.newMember(owner, held, tags)
    const first = await keep(member, 'k', { name: 'one' })
    expect((await keep(member, 'k', { name: 'one' })).text).toBe(first.text)
    await setMember(member, less)
    expect(await keep(member, 'k', { name: 'one' })).toMatchObject(refused)
    // Given back, and more than before, it is theirs again.
    await setMember(member, { permissions: [...held, 'usage.view'], tags: tags.length > 0 ? [...tags, 'tag_c'] : [] })
    expect((await keep(member, 'k', { name: 'one' })).text).toBe(first.text)
    expect((await notes(owner)).filter((name) => !name.startsWith('tag_'))).toEqual(['one'])
  })

  test('not to somebody else who has the e-mail address by now', async () => {
    const owner = await house.newOwner()
    const [first, second] = [await house.newMember(owner, held), await house.newMember(owner, held)]
    const { body } = await keep(first, 'k', { name: 'one' })
    const rename = (from: string, email: string) => house.db.updateTable('person').set({ email }).where('email', '=', from).execute()
    await rename(first.email, 'moved-on@example.test')
    await rename(second.email, first.email)
    expect((await keep(second, 'k', { name: 'one' })).body.id).not.toBe(body.id)
  })

  test('not when an asset that it names is no longer seen, or to another account', async () => {
    const on = await newScene(house)
    const { account_id } = on.owner
    const sim = { iccid: '8949020000000007777', imsi: '901289999999777', state: 'active' as const }
    const { id } = await putAsset(house, on.owner, { serial: 'MOVES', ...sim })
    const member = await house.newMember(on.owner, ['assets.edit'], [on.tag_id])
    const pair = { account_id, asset_id: id, tag_id: on.tag_id }
    await house.db
      .insertInto('asset_tag')
      .values(pair)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const rename = (person: Person) =>
      person.call(updateAsset, { params: { asset_id: id }, body: { name: 'renamed' } }, { 'idempotency-key': 'k' })
    const ofMember = await rename(member)
    const ofOwner = await rename(on.owner)
    expect([ofMember.status, ofOwner.status]).toEqual([200, 200])
    await house.db
      .deleteFrom('asset_tag')
      .where((eb) => eb.and(pair))
      .execute()
    expect(await rename(member)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await rename(on.owner)).text).toBe(ofOwner.text)
    const other = await house.newOwner()
    await sql`with moved_imsis as (update sim_imsi set account_id = ${other.account_id}
        where sim_id in (select id from sim where asset_id = ${id})),
      moved as (update sim set account_id = ${other.account_id} where asset_id = ${id})
      update asset set account_id = ${other.account_id} where id = ${id}`.execute(house.db)
    expect(await rename(on.owner)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('not to switch to an account whose team one left', async () => {
    const owner = await house.newOwner()
    const member = await house.newMember(owner, held)
    const there = { body: { team_member_email: owner.email } }
    const go = () => member.call(switchAccount, there, { 'idempotency-key': 'k' })
    expect([(await go()).status, (await go()).status]).toEqual([200, 200])
    await house.db.deleteFrom('membership').where('account_id', '=', owner.account_id).execute()
    expect(await go()).toMatchObject({ body: { code: 'not_a_member' } })
  })
})

describe('a write under way when its caller is ended', () => {
  const locks = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const invitedBy = ({ account_id }: Person) =>
    house.db.selectFrom('invitation').select('email').where('account_id', '=', account_id).execute()
  /** Has somebody ask for a change that waits, ends what they asked with, and answers what came of it. */
  async function endMeanwhile(owner: Person, headers: Record<string, string>, end: () => Promise<unknown>) {
    const asked = await house.db.transaction().execute(async (tx) => {
      await tx.selectFrom('account').select('id').where('id', '=', owner.account_id).forUpdate().execute()
      const answer = owner.call(updateInvitation, { body: { email: 'friend@example.test', permissions: ['assets.view'] } }, headers)
      await expect.poll(async () => (await locks.execute(house.db)).rows.length).toBe(1)
      await end()
      return { answer }
    })
    return { status: (await asked.answer).status, invited: await invitedBy(owner) }
  }

  test('leaves nothing: of a session that is signed out', async () => {
    const owner = await house.newOwner()
    const ended = () => sql`delete from session using person where person.id = person_id and email = ${owner.email}`.execute(house.db)
    expect(await endMeanwhile(owner, {}, ended)).toEqual({ status: 401, invited: [] })
  })

  test('leaves nothing: of an API key that is deleted', async () => {
    const owner = await house.newOwner()
    const { secret } = await newKey(house, owner, ['profile.view', 'profile.edit', 'assets.view'])
    const ended = () => house.db.deleteFrom('api_key').where('account_id', '=', owner.account_id).execute()
    expect(await endMeanwhile(owner, { cookie: '', 'x-api-key': secret }, ended)).toEqual({ status: 401, invited: [] })
  })

  const ends: Record<string, (tx: Tx, owner: Person) => Promise<unknown>> = {
    'its session': (tx, { email }) => sql`delete from session using person where person.id = person_id and email = ${email}`.execute(tx),
    'its API key': (tx, { account_id }) => tx.deleteFrom('api_key').where('account_id', '=', account_id).execute(),
  }
  describe.each(Object.keys(ends))('waits with nothing locked for whoever ends %s', (name) => {
    const asking = sql`${locks} and query like '%for key share%'`
    /** Ends the caller, has them ask for a change, then locks what the change has locked. */
    async function cross(end: () => void) {
      const owner = await house.newOwner()
      const { secret } = await newKey(house, owner, ['profile.view', 'profile.edit', 'assets.view'])
      const headers: Record<string, string> = name === 'its session' ? {} : { cookie: '', 'x-api-key': secret }
      const asked: { answer?: ReturnType<typeof owner.call> } = {}
      const ending = house.db.transaction().execute(async (tx) => {
        await ends[name]!(tx, owner)
        asked.answer = owner.call(updateInvitation, { body: { email: 'friend@example.test', permissions: ['assets.view'] } }, headers)
        await expect.poll(async () => (await asking.execute(house.db)).rows.length).toBe(1)
        await tx.selectFrom('account').select('id').where('id', '=', owner.account_id).forUpdate().execute()
        end()
      })
      await ending.catch((error: Error) => expect(error.message).toBe('thought better of it'))
      return { status: (await asked.answer!).status, invited: await invitedBy(owner) }
    }

    test('and is refused when they are through', async () => {
      expect(await cross(() => {})).toEqual({ status: 401, invited: [] })
    })

    test('and is done when they thought better of it', async () => {
      const thinkBetter = () => {
        throw new Error('thought better of it')
      }
      expect(await cross(thinkBetter)).toEqual({ status: 200, invited: [{ email: 'friend@example.test' }] })
    })
  })
})
