import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { basic, client, digestOf, newPusher, type Pusher } from '../test-registry.ts'
import { releasePromised } from './reserve.ts'

let house: House
let acme: Pusher
beforeAll(async () => {
  house = await openHouse()
  acme = await newPusher(house, await house.server.listen({ host: '127.0.0.1', port: 0 }))
})
afterAll(() => house[Symbol.asyncDispose]())

async function otherServer(dies: string) {
  const child = fork(new URL('./test-registry-process.ts', import.meta.url), {
    env: {
      ...process.env,
      DATABASE_URL: house.databaseUrl,
      MASTHEAD_DATA_DIR: house.app.config.dataDir,
      MASTHEAD_SECRET_KEY: testSecretKey,
      MASTHEAD_DEMO: 'off',
      TEST_DIES: dies,
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [address] = (await once(child, 'message')) as [string]
  return { ask: client(address, basic(acme.secret)), child }
}

test.each(['midway', 'written', 'kept'])(
  'a server that is killed %s in a push leaves nothing visible, and the client goes on',
  async (dies) => {
    const { ask, child } = await otherServer(dies)
    const name = `${acme.slug}/${dies}`
    const blob = randomBytes(3_000_000)
    const digest = digestOf(blob)
    const location = (await ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!
    async function* coming() {
      yield blob.subarray(0, 2_000_000)
      if (dies === 'midway') {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      yield blob.subarray(2_000_000)
    }
    await expect(ask(`${location}?digest=${digest}`, { method: 'PUT', body: coming() })).rejects.toThrow()
    child.kill('SIGKILL')
    expect(await acme.ask(`/v2/${name}/blobs/${digest}`, { method: 'HEAD' })).toMatchObject({ status: 404 })
    expect(await house.db.selectFrom('registry_blob').select('digest').where('digest', '=', digest).execute()).toEqual([])
    // What is known of it: nothing yet, or that all had come, of which nothing is there.
    expect((await acme.ask(location)).headers.get('range')).toBe(dies === 'kept' ? '0-2999999' : '0-0')
    if (dies === 'kept')
      expect(await acme.ask(`${location}?digest=${digest}`, { method: 'PUT' })).toMatchObject({ status: 404, code: 'BLOB_UPLOAD_UNKNOWN' })
    const anew = dies === 'kept' ? (await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')! : location
    const id = location.split('/').at(-1)!
    const row = () => house.db.selectFrom('registry_upload').select(['bytes', 'reserved']).where('id', '=', id).executeTakeFirst()
    if (dies !== 'kept') {
      if (dies === 'written') {
        expect(await house.app.blobs.drafts.size(id)).toBe(blob.length)
        expect((await row())!.reserved).toBeGreaterThanOrEqual(blob.length)
      }
      house.clock.advance({ minutes: 2 })
      await releasePromised(house.app)
      expect([await house.app.blobs.drafts.size(id), await row()]).toEqual([null, { bytes: 0, reserved: 0 }])
    }
    // As a client does: it sends all of it anew.
    const again = await acme.ask(`${anew}?digest=${digest}`, { method: 'PUT', body: blob, headers: { 'content-range': '0-2999999' } })
    expect(again.status, again.text).toBe(201)
    expect((await acme.ask(`/v2/${name}/blobs/${digest}`)).bytes.equals(blob)).toBe(true)
  }
)

test('an upload goes on in another process, which counts the digest anew', async () => {
  const { ask, child } = await otherServer('never')
  const name = `${acme.slug}/moved`
  const blob = randomBytes(500_000)
  const location = (await ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!
  expect(await ask(location, { method: 'PATCH', body: blob.subarray(0, 300_000) })).toMatchObject({ status: 202 })
  child.kill('SIGKILL')
  expect((await acme.ask(location)).headers.get('range')).toBe('0-299999')
  expect(
    await acme.ask(location, { method: 'PATCH', body: blob.subarray(300_000), headers: { 'content-range': '300000-499999' } })
  ).toMatchObject({ status: 202 })
  expect(await acme.ask(`${location}?digest=${digestOf(blob)}`, { method: 'PUT' })).toMatchObject({ status: 201 })
})
