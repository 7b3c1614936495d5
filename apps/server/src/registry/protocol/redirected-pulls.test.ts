import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestS3 } from '../../kernel/blobs/test-s3.ts'
import { openHouse, type House } from '@masthead/testkit/house'
import { digestOf, newPusher, pushImage, type Pusher } from '../test-registry.ts'

let s3: Awaited<ReturnType<typeof openTestS3>>
let house: House
let address: string
let acme: Pusher
const layer = randomBytes(5000)
beforeAll(async () => {
  s3 = await openTestS3()
  // By another name than we know it by ourselves.
  s3.settings.pullEndpoint = s3.settings.endpoint!.replace('127.0.0.1', 'localhost')
  house = await openHouse({ config: { s3: s3.settings } })
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  acme = await newPusher(house, address, 'Redirected')
  await pushImage(acme.ask, `${acme.slug}/app`, { layers: [layer], tag: 'v1' })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await s3[Symbol.asyncDispose]()
})

const blob = (how: { method?: string; headers?: Record<string, string> } = {}, digest = digestOf(layer)) =>
  acme.ask(`/v2/${acme.slug}/app/blobs/${digest}`, how)

test('whoever pulls a layer is sent to the store, for the part that they ask for, and for nothing else', async () => {
  const sent = await blob()
  expect(sent.status).toBe(307)
  expect(sent.headers.get('docker-content-digest')).toBe(digestOf(layer))
  expect(sent.headers.get('cache-control')).toBe('no-store')
  const location = sent.headers.get('location')!
  expect(new URL(location).hostname).toBe('localhost')
  const answer = await fetch(location)
  expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(layer)]).toEqual([200, true])
  const part = await fetch(location, { headers: { range: 'bytes=100-199' } })
  expect([part.status, Buffer.from(await part.arrayBuffer()).equals(layer.subarray(100, 200))]).toEqual([206, true])
  expect((await blob({ headers: { range: 'bytes=100-199' } })).status).toBe(307)
  expect(await blob({ headers: { range: 'bytes=9000-' } })).toMatchObject({ status: 416, code: 'SIZE_INVALID' })
  // The address is of this object alone.
  for (const wrong of [location.replace('registry/', 'reports/'), location.replace('X-Amz-Expires=1200', 'X-Amz-Expires=9999')])
    expect((await fetch(wrong)).status).toBe(403)
})

test('its size, what a client has already, and manifests come from us as ever', async () => {
  const head = await blob({ method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '5000'])
  expect((await blob({ headers: { 'if-none-match': `"${digestOf(layer)}"` } })).status).toBe(304)
  expect((await acme.ask(`/v2/${acme.slug}/app/manifests/v1`)).status).toBe(200)
})

test('who may not pull is sent nowhere; what the store has lost is said in words, and noted', async () => {
  const other = await newPusher(house, address, 'Others')
  expect((await other.ask(`/v2/${acme.slug}/app/blobs/${digestOf(layer)}`)).status).toBe(404)
  expect((await blob({}, digestOf('nobody has this'))).status).toBe(404)
  const lost = randomBytes(3000)
  await pushImage(acme.ask, `${acme.slug}/app`, { layers: [lost], tag: 'v2' })
  const row = () =>
    house.db.selectFrom('registry_blob').select(['key', 'damaged_at']).where('digest', '=', digestOf(lost)).executeTakeFirstOrThrow()
  await house.app.blobs.remove((await row()).key)
  expect(await blob({}, digestOf(lost))).toMatchObject({ status: 404, code: 'BLOB_UNKNOWN' })
  expect((await row()).damaged_at).not.toBeNull()
})
