import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAssets } from '@masthead/contract/assets/operations'
import { switchAccount } from '@masthead/contract/auth/operations'
import { removeMember, updateInvitation } from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { openSession } from '../auth/session.ts'
import type { Actor } from './app.ts'
import { rightsCheck, whileAllowed } from './streams.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

/** An open console; `ended` is what it heard until its stream ended. */
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
  // Told first, then ended: the console asks who it is and what it may see.
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
async function readPieces(check: () => Promise<boolean>, actor: Actor, between: () => Promise<unknown>) {
  const read: string[] = []
  async function* pieces() {
    for (const piece of ['head', 'one', 'two']) yield await Promise.resolve(piece)
  }
  const reading = (async () => {
    for await (const piece of whileAllowed(pieces(), actor, check)) {
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
  const { authenticate } = await import('../auth/index.ts')
  const request = { cookies: { masthead_session: member.cookie.split('=')[1] }, headers: {}, ip: '127.0.0.1', id: 'req' } as never
  const actor = (await authenticate(house.app, request))!
  const check = rightsCheck(house.app, request, authenticate, actor)
  expect(await readPieces(check, actor, async () => {})).toEqual({ read: ['head', 'one', 'two'], cut: false })
  expect(await readPieces(check, actor, () => change(owner, member, ['usage.view']))).toEqual({ read: ['head'], cut: true })
})

test('an export over the wire is whole for who may, and is refused to who may no longer', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['assets.view'])
  expect((await member.call(exportAssets)).text).toMatch(/^name,/)
  await change(owner, member, ['usage.view'])
  expect((await member.call(exportAssets)).status).toBe(403)
})
