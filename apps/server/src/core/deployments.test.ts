import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as ops from '@masthead/contract/core/operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { createNetworkGroup } from '@masthead/contract/network-groups/operations'
import { mostDeployments, type CreateDeploymentBody } from '@masthead/contract/core/deployment'
import type * as z from 'zod/mini'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addTag } from '../usage/test-usage.ts'

let house: House
let begun: Date
let owner: Person
beforeAll(async () => {
  house = await openHouse()
  begun = house.clock.now()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  house.clock.set(begun)
  owner = await house.newOwner('Acme')
})

const create = async (body: z.input<typeof CreateDeploymentBody>, who = owner) => {
  const answer = await who.call(ops.createDeployment, { body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const on = ({ id }: { id: string }) => ({ params: { deployment_id: id } })
const get = async (deployment: { id: string }, who = owner) => (await who.call(ops.getDeployment, on(deployment))).body
const inDays = (days: number) => new Date(begun.getTime() + days * 86_400_000).toISOString()
const sentences = async () => (await owner.call(listActivities, { query: {} })).body.items.map(({ sentence }) => sentence)

test('it is created with what its devices get; its token is shown once and not kept', async () => {
  const tag = await addTag(house, owner, 'water')
  const made = await create({
    name: 'weirs',
    region: 'emea',
    board: 'raspberry_pi',
    tags: ['WATER'],
    network_group: 'default',
    max_devices: 50,
    expires_at: inDays(30),
  })
  expect(made.token).toMatch(/^mhd_\w{43}$/)
  const { token, ...shown } = made
  expect(shown).toMatchObject({
    name: 'weirs',
    state: 'open',
    region: 'emea',
    board: 'raspberry_pi',
    tags: [{ id: tag, name: 'water' }],
    network_group: { id: 'default' },
    max_devices: 50,
    enrolled: 0,
    refused: 0,
    token_end: token.slice(-4),
    created_by: owner.email,
    previous: null,
  })
  expect(await get(made)).toEqual(shown)
  const listed = await owner.call(ops.listDeployments, { query: { search: 'WEIR' } })
  expect(listed.body).toMatchObject({ items: [shown], total: 1 })
  expect((await owner.call(ops.listDeployments, { query: { search: token } })).body.total).toBe(1)
  expect(JSON.stringify(await house.db.selectFrom('core_deployment_token').selectAll().execute())).not.toContain(token)
  expect(await sentences()).toContain('Created CORE deployment weirs')
})

test('names are used once, whatever their case; tags, groups and ends must be there', async () => {
  const first = await create({ name: 'Kiosks' })
  const second = await create({ name: 'Cameras' })
  const again = await owner.call(ops.createDeployment, { body: { name: 'kiosks' } })
  expect([again.status, again.body.code]).toEqual([409, 'core_deployment_name_taken'])
  expect((await owner.call(ops.updateDeployment, { ...on(second), body: { name: 'KIOSKS' } })).body.code).toBe('core_deployment_name_taken')
  expect((await owner.call(ops.updateDeployment, { ...on(first), body: { name: 'KIOSKS' } })).body.name).toBe('KIOSKS')
  for (const [body, code] of [
    [{ tags: ['nowhere'] }, 'tag_unknown'],
    [{ network_group: 'nowhere' }, 'network_group_unknown'],
    [{ expires_at: inDays(-1) }, 'invalid_request'],
    [{ max_devices: 0 }, 'invalid_request'],
  ] as const) {
    const refused = await owner.call(ops.createDeployment, { body: { name: 'x', ...body } as never })
    expect([refused.status, refused.body.code]).toEqual([400, code])
  }
})

test('it is paused, resumed and revoked; what is over cannot be done again', async () => {
  const made = await create({ name: 'weirs', expires_at: inDays(2) })
  expect((await owner.call(ops.resumeDeployment, on(made))).body.code).toBe('core_deployment_not_paused')
  expect((await owner.call(ops.pauseDeployment, on(made))).body.state).toBe('paused')
  expect((await owner.call(ops.pauseDeployment, on(made))).body.code).toBe('core_deployment_not_open')
  expect((await owner.call(ops.resumeDeployment, on(made))).body.state).toBe('open')
  house.clock.set(new Date(inDays(2)))
  expect((await get(made)).state).toBe('expired')
  expect((await owner.call(ops.listDeployments, { query: { state: 'expired' } })).body.total).toBe(1)
  // With another field the end that stands may come along.
  expect((await owner.call(ops.updateDeployment, { ...on(made), body: { board: 'other', expires_at: inDays(2) } })).body.board).toBe(
    'other'
  )
  expect((await owner.call(ops.updateDeployment, { ...on(made), body: { expires_at: null } })).body.state).toBe('open')
  expect((await owner.call(ops.revokeDeployment, on(made))).body.state).toBe('revoked')
  for (const refused of [
    await owner.call(ops.revokeDeployment, on(made)),
    await owner.call(ops.rotateToken, { ...on(made), body: {} }),
    await owner.call(ops.updateDeployment, { ...on(made), body: { board: 'any' } }),
  ])
    expect(refused.body.code).toBe('core_deployment_ended')
  expect(await sentences()).toEqual(
    expect.arrayContaining(['Paused CORE deployment weirs', 'Resumed CORE deployment weirs', 'Revoked CORE deployment weirs'])
  )
})

test('a new token: the one before works on for a while, the one before that no more', async () => {
  const made = await create({ name: 'weirs' })
  const next = (await owner.call(ops.rotateToken, { ...on(made), body: {} })).body
  expect(next.token).not.toBe(made.token)
  expect(next).toMatchObject({ token_end: next.token.slice(-4), previous: { token_end: made.token.slice(-4), expires_at: inDays(1) } })
  const last = (await owner.call(ops.rotateToken, { ...on(made), body: { overlap_hours: 0 } })).body
  expect(last.previous).toBeNull()
  expect(await sentences()).toEqual(
    expect.arrayContaining([
      'Gave CORE deployment weirs a new token; the one before works for 24 hours',
      'Gave CORE deployment weirs a new token; the one before ended at once',
    ])
  )
})

test('it is deleted with its token', async () => {
  const made = await create({ name: 'weirs' })
  expect((await owner.call(ops.deleteDeployment, on(made))).status).toBe(200)
  expect((await owner.call(ops.getDeployment, on(made))).status).toBe(404)
  expect((await owner.call(ops.listEnrolments, on(made))).status).toBe(404)
  expect(await sentences()).toContain('Deleted CORE deployment weirs')
})

test('a member limited to tags sees and makes deployments of those alone', async () => {
  const [north, south] = [await addTag(house, owner, 'north'), await addTag(house, owner, 'south')]
  const all = await create({ name: 'all' })
  const wide = await create({ name: 'wide', tags: [north, south] })
  const own = await create({ name: 'own', tags: [north] })
  const member = await house.newMember(owner, ['core.view', 'core.edit'], [north])
  const made = await create({ name: 'made' }, member)
  expect(made.tags).toEqual([{ id: north, name: 'north' }])
  expect((await member.call(ops.listDeployments, { query: {} })).body.items.map(({ name }) => name).toSorted()).toEqual(['made', 'own'])
  for (const other of [all, wide]) expect((await member.call(ops.pauseDeployment, on(other))).status).toBe(404)
  expect((await member.call(ops.updateDeployment, { ...on(own), body: { tags: [south] } })).body.code).toBe('tag_unknown')
  expect((await member.call(ops.updateDeployment, { ...on(own), body: { tags: [] } })).body.tags).toEqual([{ id: north, name: 'north' }])
})

test('only who may change assets, and so move their SIMs, names another network group for its devices', async () => {
  const group = (await owner.call(createNetworkGroup, { body: { name: 'Cameras' } })).body
  const made = await create({ name: 'made', network_group: group.id })
  const member = await house.newMember(owner, ['core.view', 'core.edit', 'network_groups.view', 'network_groups.edit'])
  const asked = async (network_group: string | null, deployment = made) => {
    const answer = await member.call(ops.updateDeployment, { ...on(deployment), body: { network_group } })
    return answer.status === 200 ? answer.body.network_group?.name : [answer.status, answer.body.code]
  }
  const other = await create({ name: 'other', network_group: 'default' }, member)
  expect(await asked('Cameras', other)).toEqual([403, 'forbidden'])
  const refused = await member.call(ops.createDeployment, { body: { name: 'third', network_group: group.id } })
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('assets.edit')])
  // The one that it has may be sent along; none is the default one, and so another.
  expect(await asked('cameras')).toBe('Cameras')
  expect(await asked(null)).toEqual([403, 'forbidden'])
  expect((await get(made)).network_group?.id).toBe(group.id)
  const allowed = await house.newMember(owner, ['core.view', 'core.edit', 'assets.edit'])
  expect((await allowed.call(ops.updateDeployment, { ...on(other), body: { network_group: group.id } })).body.network_group?.id).toBe(
    group.id
  )
})

test('an account has no more than it can look through', async () => {
  const { id } = await create({ name: 'one' })
  const one = await house.db.selectFrom('core_deployment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await house.db
    .insertInto('core_deployment')
    .values(Array.from({ length: mostDeployments - 1 }, (_, n) => ({ ...one, id: `${id}-${n}`, name: `one-${n}` })))
    .execute()
  const refused = await owner.call(ops.createDeployment, { body: { name: 'more' } })
  expect([refused.status, refused.body.code]).toEqual([409, 'too_many_core_deployments'])
})
