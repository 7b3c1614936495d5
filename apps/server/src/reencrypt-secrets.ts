import { sql } from 'kysely'
import { decryptAuthenticatorSecret, encryptAuthenticatorSecret } from './factors/index.ts'
import type { AppDb } from './kernel/app.ts'
import { addSecretKey, dropOldSecretKeys, isEncrypted, keyIdOf } from './kernel/secrets/secret-keys.ts'
import type { Config } from './kernel/config.ts'
import { decryptSigningKey, encryptSigningKey } from './kernel/secrets/signing-key.ts'
import { decryptIdToken, encryptClearTokens, encryptIdToken } from './identity/index.ts'
import { encryptMail, readMail } from './kernel/mail/mail.ts'
import { decryptVersion, encryptVersion } from './alpon-fleets/rollouts/index.ts'
import { decryptSecrets, encryptSecrets } from './devices/agent/index.ts'
import { decryptNetworkSecrets, encryptNetworkSecrets } from './devices/network/index.ts'
import { decryptGatewaySecret, encryptGatewaySecret } from './gateways/index.ts'
import { decryptWebhookSecret, encryptWebhookSecret } from './developers/webhooks/index.ts'

type Place = {
  table: string
  key: string
  column: string
  decrypt: (db: AppDb, id: string, kept: string) => string | Promise<string>
  encrypt: (db: AppDb, id: string, secret: string) => string
  bytes?: boolean
  /** Rows of the release before are left as they are: it may still read them, and they go by themselves. */
  encryptedOnly?: boolean
}

const decryptMail = (db: AppDb, id: string, text: string) => readMail(db.keys, { id, text })
const webhook = { table: 'webhook', key: 'id', decrypt: decryptWebhookSecret, encrypt: encryptWebhookSecret }
/** Every column that keeps a secret which is needed again as it was. The keys that older secrets are decrypted with come last. */
const places: readonly Place[] = [
  { table: 'gateway_address', key: 'id', column: 'secret', decrypt: decryptGatewaySecret, encrypt: encryptGatewaySecret },
  { ...webhook, column: 'sealed_secret' },
  { ...webhook, column: 'previous_sealed_secret' },
  {
    table: 'authenticator',
    key: 'person_id',
    column: 'sealed_secret',
    decrypt: decryptAuthenticatorSecret,
    encrypt: encryptAuthenticatorSecret,
  },
  { table: 'mail', key: 'id', column: 'text', decrypt: decryptMail, encrypt: encryptMail, encryptedOnly: true },
  { table: 'session_identity', key: 'session_id', column: 'sealed_id_token', decrypt: decryptIdToken, encrypt: encryptIdToken },
  { table: 'container', key: 'id', column: 'sealed_secrets', decrypt: decryptSecrets, encrypt: encryptSecrets },
  { table: 'device_network', key: 'asset_id', column: 'sealed_secrets', decrypt: decryptNetworkSecrets, encrypt: encryptNetworkSecrets },
  { table: 'fleet_version', key: 'id', column: 'sealed_secrets', decrypt: decryptVersion, encrypt: encryptVersion },
  {
    table: 'signing_key',
    key: 'name',
    column: 'secret',
    decrypt: (db, name, kept) => decryptSigningKey(db, name, Buffer.from(kept, 'latin1')),
    encrypt: encryptSigningKey,
    bytes: true,
  },
]

const rowsAtOnce = 1000

/**
 * Encrypts anew what the present key has not encrypted; with `clearOnly` what no key has, from before there were any. May run beside everything
 * else and twice: a row that changed meanwhile stays as it is. Answers how many.
 */
export async function reencryptSecrets(db: AppDb, { clearOnly = false } = {}): Promise<number> {
  let changed = await encryptClearTokens(db)
  for (const place of places) {
    const { table, key, column, decrypt, encrypt, bytes = false, encryptedOnly = false } = place
    const [name, secret] = [sql.ref(`${table}.${key}`), sql.ref(`${table}.${column}`)]
    for (let last = '', more = true; more;) {
      const { rows } = await sql<{ id: string; kept: string | Buffer }>`select ${name} as id, ${secret} as kept from ${sql.table(table)}
        where ${secret} is not null and ${name} > ${last} order by 1 limit ${rowsAtOnce}`.execute(db)
      for (const { id, kept } of rows) {
        const text = typeof kept === 'string' ? kept : kept.toString('latin1')
        if (!isEncrypted(text) && encryptedOnly) continue
        if (isEncrypted(text) && (clearOnly || keyIdOf(text) === db.keys.getCurrent())) continue
        const encrypted = encrypt(db, id, await decrypt(db, id, text))
        const change = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${bytes ? Buffer.from(encrypted) : encrypted}
          where ${name} = ${id} and ${secret} = ${kept}`
        const { numAffectedRows = 0n } = await db.transaction().execute((tx) => change.execute(tx))
        changed += Number(numAffectedRows)
      }
      last = rows.at(-1)?.id ?? ''
      more = rows.length === rowsAtOnce
    }
  }
  return changed
}

/** A new key encrypts everything from now on. With MASTHEAD_SECRET_KEY it is the first one there. */
export async function rotateSecrets(db: AppDb, config: Config): Promise<{ id: string; changed: number }> {
  const own = config.secretKeys.length === 0
  if (own) addSecretKey(config)
  const changed = await reencryptSecrets(db)
  if (own) dropOldSecretKeys(config)
  return { id: db.keys.getCurrent(), changed }
}
