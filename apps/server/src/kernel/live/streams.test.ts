import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportAssets } from '@masthead/contract/assets/operations'
import { stopViewing, suspendAccount, viewAccount } from '@masthead/contract/backoffice/account-operations'
import { createApiKey, deleteApiKey, disableApiKey, updateApiKey } from '@masthead/contract/developers/operations'
import { createTag, listTags } from '@masthead/contract/tags/operations'
import { switchAccount } from '@masthead/contract/auth/operations'
import { removeMember, updateInvitation } from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { openSession } from '../../auth/sessions/session.ts'
import { grantStaff } from '../../backoffice/index.ts'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { systemActor } from '../app.ts'
import { rightsCheck, whileAllowed } from './streams.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

/** An open console; `ended` is what it received until its stream ended. */
async function watch({ cookie }: { cookie: string }) {
  const answer = await fetch(`${address}/v1/live`, { headers: { cookie } })
  let open = true
  const ended = answer.text().finally(() => (open = false))
  return { ended, isOpen: () => open }
}

const change = (owner: Person, member: Person, granted: readonly string[]) =>
  owner.call(updateInvitation, { body: { email: member.email, permissions: granted as never, tags: [] } })

test('changed rights end the member’s open stream, and nobody else’s', async () => {
  const owner = await house.newOwner()
  const [member, other] = [await house.newMember(owner, ['assets.view']), await house.newMember(owner, ['assets.view'])]
  const [mine, theirs, owners] = [await watch(member), await watch(other), await watch(owner)]
  await change(owner, member, ['usage.view'])
  // Notified first, then ended: the console asks who it is and what it may see.
  expect(await mine.ended).toContain('event: teams.team_rights_changed')
  expect([theirs.isOpen(), owners.isOpen()]).toEqual([true, true])
  await owner.call(removeMember, { params: { member_email: other.email } })
  expect(await theirs.ended).toContain('event: teams.team_membership_ended')
  expect(owners.isOpen()).toBe(true)
})

test('a stream on one’s own account stays when a team changes, and hears of it', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['assets.view'])
  const { id } = await house.db.selectFrom('person').select('id').where('email', '=', member.email).executeTakeFirstOrThrow()
  const { secret } = await house.db
    .transaction()
    .execute((tx) => openSession(tx, { person_id: id, acting_as: null, at: house.clock.now(), days: 1, ip: null, user_agent: null }))
  const [acting, atHome] = [await watch(member), await watch({ cookie: `masthead_session=${secret}` })]
  await change(owner, member, [])
  await acting.ended
  expect(atHome.isOpen()).toBe(true)
})

test('who switches leaves the stream of the account they were on', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['assets.view'])
  const stream = await watch(member)
  expect((await member.call(switchAccount, { body: { team_member_email: member.email } })).status).toBe(200)
  await stream.ended
  expect(stream.isOpen()).toBe(false)
})

/** Reads pieces one by one; `between` happens after the first. */
async function readPieces(check: () => Promise<boolean>, between: () => Promise<unknown>) {
  const read: string[] = []
  async function* pieces() {
    for (const piece of ['head', 'one', 'two']) yield await Promise.resolve(piece)
  }
  const reading = (async () => {
    for await (const piece of whileAllowed(pieces(), check)) {
      read.push(piece)
      if (read.length === 1) await between()
    }
  })()
  const cut = await reading.then(
    () => false,
    () => true
  )
  return { read, cut }
}

test('an export ends where its reader loses the right to it', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['assets.view'])
  const { authenticate } = await import('../../auth/index.ts')
  const request = {
    cookies: { masthead_session: member.cookie.split('=')[1] },
    headers: {},
    routeOptions: { config: {} },
    ip: '127.0.0.1',
    id: 'req',
  } as never
  const actor = (await authenticate(house.app, request))!
  const check = rightsCheck(house.app, request, authenticate, actor)
  expect(await readPieces(check, async () => {})).toEqual({ read: ['head', 'one', 'two'], cut: false })
  expect(await readPieces(check, () => change(owner, member, ['usage.view']))).toEqual({ read: ['head'], cut: true })
})

test('an export over the wire is whole for who may, and is refused to who may no longer', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['assets.view'])
  expect((await member.call(exportAssets)).text).toMatch(/^name,/)
  await change(owner, member, ['usage.view'])
  expect((await member.call(exportAssets)).status).toBe(403)
})

/** What a key may read goes on as long as the key counts. */
const endings = {
  revoked: ({ owner, params }: Keyed) => owner.call(deleteApiKey, { params }),
  disabled: ({ owner, params }: Keyed) => owner.call(disableApiKey, { params }),
  expired: async (_: Keyed) => house.clock.advance({ hours: 1 }),
  'without a scope': ({ owner, params }: Keyed) => owner.call(updateApiKey, { params, body: { scopes: ['usage.view'] } }),
  'of somebody who left': ({ owner, maker }: Keyed) => owner.call(removeMember, { params: { member_email: maker.email } }),
}
type Keyed = { owner: Person; maker: Person; params: { api_key_id: string } }

test.each(Object.entries(endings))('an export by a key that is %s is cut at the next piece', async (_, end) => {
  const owner = await house.newOwner()
  const maker = await house.newMember(owner, ['developers.view', 'developers.edit', 'assets.view', 'usage.view'])
  const expires_at = new Date(house.clock.now().getTime() + 3_600_000).toISOString()
  // The owner changes what the member made: both hold all of it.
  const made = await maker.call(createApiKey, {
    body: { name: 'k', scopes: ['assets.view', 'usage.view'], expires_at, calls_per_minute: 2 },
  })
  const { id, secret } = made.body
  const { authenticateKey } = await import('../../developers/authenticate-key.ts')
  const request = { headers: { 'x-api-key': secret }, ip: '127.0.0.1', id: 'req' } as never
  const actor = await authenticateKey(house.app, request)
  const check = rightsCheck(house.app, request, authenticateKey, actor)
  // Its pieces are no calls: there are more of them than it has calls in a minute.
  for (let piece = 0; piece < 5; piece++) expect(await check()).toBe(true)
  const cut = await readPieces(check, () => end({ owner, maker, params: { api_key_id: id } }))
  expect(cut).toEqual({ read: ['head'], cut: true })
})

describe('what staff have open of a customer', () => {
  const viewing = async () => {
    const customer = await house.newOwner('customer')
    const staff = await enterStaff(house)
    const own = await watch(staff)
    expect((await staff.call(viewAccount, { params: { email: customer.email }, body: { reason: 'A test' } })).status).toBe(200)
    // The stream of their own account ends as the other begins.
    await own.ended
    return { customer, staff, stream: await watch(staff) }
  }
  const stillNotified = async (stream: { isOpen: () => boolean }, customer: Person) => {
    expect(stream.isOpen()).toBe(true)
    await customer.call(createTag, { body: { name: 'still told' } })
  }

  test('ends when they stop looking', async () => {
    const { staff, customer, stream } = await viewing()
    await stillNotified(stream, customer)
    await staff.plain(stopViewing)
    expect(await stream.ended).toContain('tags.tag_created')
  })

  test('ends by itself with the half hour', async () => {
    const { staff, stream } = await viewing()
    house.clock.advance({ minutes: 29 })
    expect((await staff.plain(listTags)).status).toBe(200)
    expect(stream.isOpen()).toBe(true)
    house.clock.advance({ minutes: 1 })
    await stream.ended
    expect(stream.isOpen()).toBe(false)
  })

  test('ends when they are staff no more', async () => {
    const { staff, stream } = await viewing()
    await house.db.transaction().execute((tx) => grantStaff(tx, systemActor('', house.clock.now()), staff.email, []))
    await stream.ended
    expect(stream.isOpen()).toBe(false)
  })
})

test('a session that comes to its end takes its stream along', async () => {
  const owner = await house.newOwner()
  const stream = await watch(owner)
  house.clock.advance({ days: 14 })
  await stream.ended
  expect(stream.isOpen()).toBe(false)
})

test('a suspended account’s people go on seeing it, and hear of it at once', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['overview.view', 'profile.view'])
  const staff = await enterStaff(house)
  const stream = await watch(member)
  expect((await staff.call(suspendAccount, { params: { email: owner.email }, body: { reason: 'Unpaid' } })).status).toBe(200)
  expect(stream.isOpen()).toBe(true)
  await owner.call(removeMember, { params: { member_email: member.email } })
  expect(await stream.ended).toContain('event: backoffice.account_suspended')
})
