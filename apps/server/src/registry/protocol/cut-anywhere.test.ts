import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { releasePromised } from '../content/reserve.ts'
import { basic, digestOf, newPusher, ociManifest, pushImage, putManifest, type Pusher } from '../test-registry.ts'

// Connections that end after any number of bytes of a request, from the first to the last but one.

let house: House
let acme: Pusher
let name: string
let port: number
beforeAll(async () => {
  house = await openHouse()
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  port = Number(new URL(address).port)
  acme = await newPusher(house, address, 'Cut')
  name = `${acme.slug}/app`
})
afterAll(() => house[Symbol.asyncDispose]())

type Sent = { method: string; path: string; type: string; body: Buffer | string }

const bytesOf = ({ method, path, type, body }: Sent) =>
  Buffer.concat([
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nHost: cut\r\nAuthorization: ${basic(acme.secret)}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
    ),
    Buffer.from(body),
  ])

/** Sends the first bytes of a request, and goes: by turns as whoever ends, and as whoever was cut off. */
async function cutAfter(bytes: Buffer, first: number) {
  // A key may ask so often in a minute.
  house.clock.advance({ seconds: 1 })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (first > 0) await new Promise((done) => socket.write(bytes.subarray(0, first), done))
  if (first % 2 === 0) socket.destroy()
  else socket.resetAndDestroy()
}

const begin = async () => (await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!
const isThere = async (path: string) => (await acme.ask(`/v2/${name}/${path}`, { method: 'HEAD' })).status === 200

const uploaded = async (location: string) =>
  (await house.db.selectFrom('registry_upload').select('bytes').where('id', '=', location.split('/').at(-1)!).executeTakeFirstOrThrow())
    .bytes

/** Goes on from where the upload is, as a client does; the one that was cut off may still be at work for a moment. */
async function goOn(location: string, blob: Buffer): Promise<number> {
  for (;;) {
    const bytes = await uploaded(location)
    const headers: Record<string, string> = bytes < blob.length ? { 'content-range': `${bytes}-${blob.length - 1}` } : {}
    const { status } = await acme.ask(`${location}?digest=${digestOf(blob)}`, { method: 'PUT', body: blob.subarray(bytes), headers })
    if (status !== 409 && status !== 416) return status
    await pause(5)
  }
}

/** Nothing of a blob is there after a cut, and all of it once the client went on. */
async function expectGoesOn(location: string, blob: Buffer, after: string) {
  expect(await isThere(`blobs/${digestOf(blob)}`), after).toBe(false)
  expect(await goOn(location, blob), after).toBe(201)
  expect((await acme.ask(`/v2/${name}/blobs/${digestOf(blob)}`)).bytes.equals(blob), after).toBe(true)
}

/** A manifest is looked for after so many cuts: what one of them showed would be shown after the next, too. */
const lookedAfter = 50

test.each(['PATCH', 'PUT'])(
  'a %s that is cut after any byte shows nothing, and the client goes on from there',
  { timeout: 300_000 },
  async (method) => {
    const asked = (location: string, blob: Buffer) =>
      bytesOf({
        method,
        path: method === 'PUT' ? `${location}?digest=${digestOf(blob)}` : location,
        type: 'application/octet-stream',
        body: blob,
      })
    // One whose head is not whole is no request yet: all of these are of one upload.
    const [first, location] = [randomBytes(40), await begin()]
    const whole = asked(location, first)
    expect(whole.length).toBeGreaterThan(200)
    const head = whole.length - first.length
    for (let sent = 0; sent < head; sent++) await cutAfter(whole, sent)
    expect(await uploaded(location)).toBe(0)
    await expectGoesOn(location, first, 'cut in its head')
    for (let more = 0; more < 40; more++) {
      const [blob, at] = [randomBytes(40), await begin()]
      const bytes = asked(at, blob)
      await cutAfter(bytes, bytes.length - blob.length + more)
      await expectGoesOn(at, blob, `cut after ${more} bytes of the body`)
    }
    await releasePromised(house.app)
    expect(await house.db.selectFrom('registry_upload').select('id').where('account_id', '=', acme.account_id).execute()).toEqual([])
  }
)

test('a manifest that is cut after any byte is not there, and its tag names what it named', { timeout: 300_000 }, async () => {
  const before = await pushImage(acme.ask, name, { tag: 'latest' })
  const { manifest } = await pushImage(acme.ask, name)
  const next = `${manifest} `
  const bytes = bytesOf({ method: 'PUT', path: `/v2/${name}/manifests/latest`, type: ociManifest, body: next })
  const named = async () => (await acme.ask(`/v2/${name}/manifests/latest`, { method: 'HEAD' })).headers.get('docker-content-digest')
  for (let first = 0; first < bytes.length; first++) {
    await cutAfter(bytes, first)
    if (first % lookedAfter > 0 && first < bytes.length - 1) continue
    expect(await isThere(`manifests/${digestOf(next)}`), `cut after ${first} bytes`).toBe(false)
    expect(await named(), `cut after ${first} bytes`).toBe(before.digest)
  }
  expect((await putManifest(acme.ask, name, 'latest', next)).status).toBe(201)
  expect(await named()).toBe(digestOf(next))
})
