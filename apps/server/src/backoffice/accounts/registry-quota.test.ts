import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { getCustomer, setRegistryQuota } from '@masthead/contract/backoffice/account-operations'
import { getRegistry } from '@masthead/contract/registry/operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { openHouse, type House } from '@masthead/testkit/house'
import { newPusher, pushBlob } from '../../registry/test-registry.ts'
import { enterStaff, type Staff } from '../test-backoffice.ts'

let house: House
let staff: Staff
let address: string
beforeAll(async () => {
  house = await openHouse()
  staff = await enterStaff(house)
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

test('staff say how much an account may keep, who reads it and whose pushes are refused with the figures', async () => {
  const acme = await newPusher(house, address, 'Roomy')
  const name = `${acme.slug}/app`
  const params = { email: acme.person.email }
  const set = async (bytes: number | null) => staff.call(setRegistryQuota, { params, body: { bytes, reason: 'As agreed' } })
  expect((await staff.call(getCustomer, { params })).body.registry).toEqual({ quota_bytes: 20_000_000_000, own: false, used_bytes: 0 })
  expect((await set(10_000)).body.registry).toEqual({ quota_bytes: 10_000, own: true, used_bytes: 0 })
  await pushBlob(acme.ask, name, randomBytes(8000))
  expect((await acme.person.call(getRegistry)).body).toMatchObject({ quota_bytes: 10_000, used_bytes: 8000 })
  const begun = (await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!
  const refused = await acme.ask(begun, { method: 'PATCH', body: randomBytes(5000) })
  expect(refused).toMatchObject({ status: 403, code: 'DENIED' })
  expect(refused.words).toContain(`may hold ${formatBytes(10_000)}`)
  expect(refused.words).toContain(`${formatBytes(8000)} are used`)
  // Below what is used nothing goes: what is there is pulled.
  expect((await set(0)).body.registry).toMatchObject({ quota_bytes: 0, used_bytes: 8000 })
  expect(await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).toMatchObject({ status: 403, code: 'DENIED' })
  expect((await set(null)).body.registry).toMatchObject({ quota_bytes: 20_000_000_000, own: false })
  await pushBlob(acme.ask, name, randomBytes(5000))
  const { items } = (await acme.person.call(listActivities)).body
  const told = items.filter(({ metadata }) => metadata.action === 'registry_quota_set').map(({ sentence }) => sentence)
  expect(told).toEqual([
    'Set the storage in the container registry to what every account has: As agreed',
    `Set the storage in the container registry to ${formatBytes(0)}: As agreed`,
    `Set the storage in the container registry to ${formatBytes(10_000)}: As agreed`,
  ])
})
