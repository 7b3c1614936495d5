import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebhook } from '@masthead/contract/developers/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { decryptAuthenticatorSecret, startAuthenticator } from './factors/index.ts'
import { openDatabase } from './kernel/database/open-database.ts'
import { encrypt } from './kernel/secrets/encrypt.ts'
import { keyIdOf, prepareSecretKeys, SecretKeys } from './kernel/secrets/secret-keys.ts'
import { getSigningKey } from './kernel/secrets/signing-key.ts'
import { Gateways } from './gateways/index.ts'
import { putGateway } from './gateways/test-gateway.ts'
import { reencryptSecrets, rotateSecrets } from './reencrypt-secrets.ts'
import { decryptWebhookSecret } from './developers/webhooks/index.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'masthead-keys-'))
let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

/** Everything the database keeps as text or bytes, in one. */
async function wholeDatabase() {
  const tables = ['gateway_address', 'webhook', 'authenticator', 'signing_key'] as const
  const rows = await Promise.all(tables.map((table) => house.db.selectFrom(table).selectAll().execute()))
  return JSON.stringify(rows, (_, value: unknown) =>
    value && typeof value === 'object' && (value as { type?: string }).type === 'Buffer'
      ? Buffer.from((value as { data: number[] }).data).toString('latin1')
      : value
  )
}

/** An installation from before secrets were encrypted with a key from outside. */
async function olderSecrets() {
  const { db } = house
  const owner = await house.newOwner()
  const { id, secret } = (await owner.call(createWebhook, { body: { name: 'Ops', url: 'https://example.com/x', events: ['*'] } })).body
  const person = await db.selectFrom('person').select('id').where('email', '=', owner.email).executeTakeFirstOrThrow()
  const { secret: code } = await db
    .transaction()
    .execute((tx) => startAuthenticator(tx, { person_id: person.id, email: owner.email, at: house.clock.now() }))
  const keys = { webhooks: randomBytes(32), authenticator: randomBytes(32) }
  for (const [name, key] of Object.entries(keys)) await db.insertInto('signing_key').values({ name, secret: key }).execute()
  await putGateway(db, { address: '198.51.100.7', secret: 'clear words' })
  const older = (name: keyof typeof keys, text: string) => encrypt(keys[name].toString('base64url'), text)
  await db
    .updateTable('webhook')
    .set({ sealed_secret: older('webhooks', secret), previous_sealed_secret: older('webhooks', 'before') })
    .execute()
  await db
    .updateTable('authenticator')
    .set({ sealed_secret: older('authenticator', code) })
    .execute()
  return { webhook: id, secret, person: person.id, code }
}

/** What a meter, the sender of webhooks and a sign-in read. */
async function read({ webhook, person }: Awaited<ReturnType<typeof olderSecrets>>, db = house.app.db) {
  const { log } = house.app
  const gateways = new Gateways({ db, databaseUrl: house.databaseUrl, log })
  await gateways.refresh()
  const hook = await db.selectFrom('webhook').selectAll().where('id', '=', webhook).executeTakeFirstOrThrow()
  const app = await db.selectFrom('authenticator').selectAll().where('person_id', '=', person).executeTakeFirstOrThrow()
  return {
    gateway: gateways.byAddress('198.51.100.7')?.secret.toString(),
    webhook: await decryptWebhookSecret(db, webhook, hook.sealed_secret),
    before: await decryptWebhookSecret(db, webhook, hook.previous_sealed_secret!),
    authenticator: await decryptAuthenticatorSecret(db, person, app.sealed_secret),
    keys: [keyIdOf(hook.sealed_secret), keyIdOf(app.sealed_secret)],
  }
}

test('older secrets are read, encrypted at the start, and encrypted anew with another key', async () => {
  const { db } = house
  const older = await olderSecrets()
  const was = { gateway: 'clear words', webhook: older.secret, before: 'before', authenticator: older.code }
  expect(await read(older)).toMatchObject(was)
  expect(await wholeDatabase()).toContain('clear words')
  const signing = await getSigningKey(db, 'webhooks')
  expect(await reencryptSecrets(db, { clearOnly: true })).toBe(6)
  expect(await reencryptSecrets(db, { clearOnly: true })).toBe(0)
  const encrypted = await wholeDatabase()
  for (const secret of ['clear words', older.code, older.secret, signing.toString('latin1')]) expect(encrypted).not.toContain(secret)
  const first = await read(older)
  expect(first).toMatchObject(was)
  expect(await getSigningKey(db, 'webhooks')).toEqual(signing)

  const given = house.app.config.secretKeys
  const config = { ...house.app.config, dataDir, secretKeys: [randomBytes(32), ...given] }
  const withKeys = (secretKeys: readonly Buffer[]) => openDatabase(house.app.pool, { keys: new SecretKeys({ secretKeys, dataDir }) })
  const { id, changed } = await rotateSecrets(withKeys(config.secretKeys), config)
  expect(changed).toBe((await db.selectFrom('signing_key').select('name').execute()).length + 4)
  expect(await read(older, withKeys(config.secretKeys))).toEqual({ ...was, keys: [id, id] })
  expect(first.keys).not.toContain(id)
  // The old key opens nothing any more: it may be taken out.
  await prepareSecretKeys(withKeys(config.secretKeys.slice(0, 1)), { dataDir })
  await expect(prepareSecretKeys(withKeys([]), { dataDir })).rejects.toThrow(id)
})
