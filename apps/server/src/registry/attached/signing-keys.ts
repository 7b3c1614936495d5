import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { newId } from '@masthead/contract/kernel/id'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { signingKeyAdded, signingKeyRemoved, signingKeyRenamed } from '@masthead/contract/registry/events'
import { publicKeyUnreadable, signingKeyTaken, tooManySigningKeys } from '@masthead/contract/registry/problems'
import { mostSigningKeys, signingKeyId, type AddSigningKeyBody, type SigningKey } from '@masthead/contract/registry/signature'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'

const smallestRsa = 2048 // bits

export async function listSigningKeys(db: Db, { account_id }: Pick<Actor, 'account_id'>): Promise<SigningKey[]> {
  const rows = await db
    .selectFrom('registry_signing_key')
    .select(['id', 'name', 'kind', 'fingerprint', 'public_key', 'created_by', 'created_at'])
    .where('account_id', '=', account_id)
    .orderBy('name')
    .execute()
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

const unreadable = (words: string) => new Problem(publicKeyUnreadable, words, { fields: { public_key: words } })

/** A public key in PEM, as it is kept. Throws public_key_unreadable, in words. */
function readPublicKey(pem: string): Pick<SigningKey, 'kind' | 'fingerprint' | 'public_key'> {
  if (/PRIVATE KEY/.test(pem)) throw unreadable('This is a private key, which nobody else may see: paste the public one, as in cosign.pub')
  if (!/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem))
    throw unreadable('Paste a public key in PEM: it begins with -----BEGIN PUBLIC KEY-----')
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    throw unreadable('The key cannot be read: paste all of it, with its first and last line')
  }
  const kind = kindOf(key)
  const der = key.export({ type: 'spki', format: 'der' })
  return {
    kind,
    fingerprint: createHash('sha256').update(der).digest('hex'),
    public_key: key.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

function kindOf({ asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {} }: KeyObject): SigningKey['kind'] {
  if (type === 'ec' && namedCurve === 'prime256v1') return 'ecdsa-p256'
  if (type === 'ed25519') return 'ed25519'
  if (type === 'rsa' && modulusLength >= smallestRsa) return 'rsa'
  throw unreadable(
    type === 'rsa'
      ? `An RSA key needs at least ${smallestRsa} bits, and this one has ${modulusLength}`
      : 'Signatures are verified with ECDSA keys on P-256, Ed25519 keys and RSA keys, and this is none of them'
  )
}

/** One at a time on an account, for the number of keys and their names. */
const lockKeys = (tx: Tx, account_id: string) =>
  tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()

export async function addSigningKey(tx: Tx, actor: Actor, { name, public_key }: AddSigningKeyBody): Promise<SigningKey> {
  const { account_id, at, email } = actor
  const key = readPublicKey(public_key)
  await lockKeys(tx, account_id)
  const keys = await listSigningKeys(tx, actor)
  if (keys.length >= mostSigningKeys) throw new Problem(tooManySigningKeys)
  needName(keys, name)
  const same = keys.find(({ fingerprint }) => fingerprint === key.fingerprint)
  if (same) throw new Problem(signingKeyTaken, `This key is there already: it is called ${same.name}`)
  const id = newId(signingKeyId, at.getTime())
  await tx
    .insertInto('registry_signing_key')
    .values({ account_id, id, name, ...key, created_by: email, created_at: at })
    .execute()
  await record(tx, actor, signingKeyAdded, { signing_key_id: id, key_name: name, fingerprint: key.fingerprint })
  return { id, name, ...key, created_by: email, created_at: at.toISOString() }
}

function needName(keys: readonly SigningKey[], name: string): void {
  if (keys.some((key) => key.name === name))
    throw new Problem(signingKeyTaken, `Another signing key is called ${name}`, { fields: { name: 'Another signing key has this name' } })
}

export async function renameSigningKey(tx: Tx, actor: Actor, id: string, name: string): Promise<SigningKey> {
  await lockKeys(tx, actor.account_id)
  const keys = await listSigningKeys(tx, actor)
  const found = keys.find((key) => key.id === id)
  if (!found) throw new Problem(notFound)
  if (found.name === name) return found
  needName(keys, name)
  await tx.updateTable('registry_signing_key').set({ name }).where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  await record(tx, actor, signingKeyRenamed, { signing_key_id: id, key_name: name, before: found.name })
  return { ...found, name }
}

export async function removeSigningKey(tx: Tx, actor: Actor, id: string): Promise<void> {
  const gone = await tx
    .deleteFrom('registry_signing_key')
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (!gone) throw new Problem(notFound)
  await record(tx, actor, signingKeyRemoved, { signing_key_id: id, key_name: gone.name })
}
