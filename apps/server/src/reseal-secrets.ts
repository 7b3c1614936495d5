import { sql } from 'kysely'
import { openAuthenticatorSecret, sealAuthenticatorSecret } from './factors/index.ts'
import type { AppDb } from './kernel/app.ts'
import { addSecretKey, dropOldSecretKeys, isSealed, keyIdOf } from './kernel/secrets/secret-keys.ts'
import type { Config } from './kernel/config.ts'
import { openSigningKey, sealSigningKey } from './kernel/secrets/signing-key.ts'
import { lockClearTokens, openIdToken, sealIdToken } from './identity/index.ts'
import { readMail, sealMail } from './kernel/mail/mail.ts'
import { openGatewaySecret, sealGatewaySecret } from './gateways/index.ts'
import { openWebhookSecret, sealWebhookSecret } from './developers/webhooks/index.ts'

type Place = {
  table: string
  key: string
  column: string
  open: (db: AppDb, id: string, kept: string) => string | Promise<string>
  seal: (db: AppDb, id: string, secret: string) => string
  bytes?: boolean
  /** Rows of the release before are left as they are: it may still read them, and they go by themselves. */
  sealedOnly?: boolean
}

const openMail = (db: AppDb, id: string, text: string) => readMail(db.keys, { id, text })
const webhook = { table: 'webhook', key: 'id', open: openWebhookSecret, seal: sealWebhookSecret }
/** Every column that keeps a secret which is needed again as it was. The keys that older secrets are opened with come last. */
const places: readonly Place[] = [
  { table: 'gateway_address', key: 'id', column: 'secret', open: openGatewaySecret, seal: sealGatewaySecret },
  { ...webhook, column: 'sealed_secret' },
  { ...webhook, column: 'previous_sealed_secret' },
  { table: 'authenticator', key: 'person_id', column: 'sealed_secret', open: openAuthenticatorSecret, seal: sealAuthenticatorSecret },
  { table: 'mail', key: 'id', column: 'text', open: openMail, seal: sealMail, sealedOnly: true },
  { table: 'session_identity', key: 'session_id', column: 'sealed_id_token', open: openIdToken, seal: sealIdToken },
  {
    table: 'signing_key',
    key: 'name',
    column: 'secret',
    open: (db, name, kept) => openSigningKey(db, name, Buffer.from(kept, 'latin1')),
    seal: sealSigningKey,
    bytes: true,
  },
]

const rowsAtOnce = 1000

/**
 * Locks anew what the present key has not locked; with `clearOnly` what no key has, from before there were any. May run beside everything
 * else and twice: a row that changed meanwhile stays as it is. Answers how many.
 */
export async function resealSecrets(db: AppDb, { clearOnly = false } = {}): Promise<number> {
  let changed = await lockClearTokens(db)
  for (const place of places) {
    const { table, key, column, open, seal, bytes = false, sealedOnly = false } = place
    const [name, secret] = [sql.ref(`${table}.${key}`), sql.ref(`${table}.${column}`)]
    for (let last = '', more = true; more;) {
      const { rows } = await sql<{ id: string; kept: string | Buffer }>`select ${name} as id, ${secret} as kept from ${sql.table(table)}
        where ${secret} is not null and ${name} > ${last} order by 1 limit ${rowsAtOnce}`.execute(db)
      for (const { id, kept } of rows) {
        const text = typeof kept === 'string' ? kept : kept.toString('latin1')
        if (!isSealed(text) && sealedOnly) continue
        if (isSealed(text) && (clearOnly || keyIdOf(text) === db.keys.getCurrent())) continue
        const sealed = seal(db, id, await open(db, id, text))
        const change = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${bytes ? Buffer.from(sealed) : sealed}
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

/** A new key locks everything from now on. With MASTHEAD_SECRET_KEY it is the first one there. */
export async function rotateSecrets(db: AppDb, config: Config): Promise<{ id: string; changed: number }> {
  const own = config.secretKeys.length === 0
  if (own) addSecretKey(config)
  const changed = await resealSecrets(db)
  if (own) dropOldSecretKeys(config)
  return { id: db.keys.getCurrent(), changed }
}
