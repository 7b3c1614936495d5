import { afterAll, beforeAll, expect, test } from 'vitest'
import { noIntegrations } from '@masthead/server/kernel/integrations'
import { openHouse, type House } from '@masthead/testkit/house'
import { writePulls } from '../content/count-pulls.ts'
import { basic, client, newPusher, pushImage } from '../test-registry.ts'
import { scanDue } from './run-scans.ts'
import { notDone, openScanner } from './test-scanner.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

test('the password of a scan pulls from its repository while the scan is under way, does nothing else, and counts as no pull', async () => {
  await using trivy = await openScanner()
  house.app.config.integrations = { ...noIntegrations, scanner: { ...trivy.scanner, registry: address } }
  const acme = await newPusher(house, address, 'Passes')
  const [app, other] = [`${acme.slug}/app`, `${acme.slug}/app-other`]
  const image = await pushImage(acme.ask, app, { tag: '1.0' })
  trivy.answers.report = notDone(30)
  await scanDue(house.app)
  const { registry } = trivy.asked()[0]!
  const { digest: otherDigest } = await pushImage(acme.ask, other, { tag: '1.0' })
  const ask = client(registry.url, registry.authorization)
  const pulled = await ask(`/v2/${app}/manifests/${image.digest}`)
  expect([pulled.status, pulled.text]).toEqual([200, image.manifest])
  expect((await ask(`/v2/${app}/blobs/${image.layers[0]}`)).status).toBe(200)
  expect((await ask(`/v2/${other}/manifests/${otherDigest}`)).status).toBe(403)
  expect((await ask(`/v2/${app}/manifests/2.0`, { method: 'PUT', body: image.manifest })).status).toBe(403)
  expect((await ask(`/v2/${app}/manifests/${image.digest}`, { method: 'DELETE' })).status).toBe(403)
  expect(JSON.parse((await ask('/v2/_catalog')).text)).toEqual({ repositories: [app] })
  // As clients do: for a token, which opens no more.
  const scope = `scope=repository:${app}:pull,push&scope=repository:${other}:pull`
  const given = JSON.parse((await ask(`/v2/token?service=x&${scope}`)).text) as { token: string; scope: string }
  expect(given.scope).toBe(`repository:${app}:pull`)
  const byToken = client(address, `Bearer ${given.token}`)
  expect((await byToken(`/v2/${app}/manifests/${image.digest}`)).status).toBe(200)
  expect((await byToken(`/v2/${other}/manifests/${otherDigest}`)).status).not.toBe(200)
  // It is for the registry alone.
  const secret = Buffer.from(registry.authorization.slice(6), 'base64')
    .toString()
    .replace(/^[^:]*:/, '')
  expect((await house.server.inject({ url: '/v1/registry', headers: { 'x-api-key': secret, host: 'localhost:80' } })).statusCode).toBe(401)
  expect((await client(address, basic(secret.replace('.', 'x.')))('/v2/')).status).toBe(401)
  await writePulls(house.app)
  const row = () => house.db.selectFrom('registry_manifest').select('pulls').where('digest', '=', image.digest).executeTakeFirstOrThrow()
  expect((await row()).pulls).toBe(0)

  house.clock.advance({ minutes: 31 })
  expect(await ask(`/v2/${app}/manifests/${image.digest}`)).toMatchObject({
    status: 401,
    words: 'This password of a scan is over, or is none of this registry',
  })
  house.clock.advance({ minutes: -31 })
  expect((await ask('/v2/')).status).toBe(200)
  await house.db.updateTable('registry_scan').set({ state: 'done', due_at: null }).where('digest', '=', image.digest).execute()
  expect(await ask('/v2/')).toMatchObject({ status: 401, words: 'The scan that this password was for is over' })
  expect((await byToken('/v2/')).status).toBe(401)
})
