import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { AppDb, WriteDb } from '../app.ts'
import { inTransaction } from '../database/open-database.ts'
import { isEncrypted, type Keyed } from './secret-keys.ts'

const placeOf = (name: string) => `signing_key ${name}`
const code = 'base64url'

/** A secret of this installation, made the first time it is asked for; two that ask at once get the same. Kept encrypted. */
export async function getSigningKey(db: WriteDb, name: string): Promise<Buffer> {
  const find = async () => (await db.selectFrom('signing_key').select('secret').where('name', '=', name).executeTakeFirst())?.secret
  const found = await find()
  if (found) return Buffer.from(decryptSigningKey(db, name, found), code)
  const secret = Buffer.from(encryptSigningKey(db, name, randomBytes(32).toString(code)))
  await inTransaction(db, (tx) =>
    tx
      .insertInto('signing_key')
      .values({ name, secret })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  )
  return Buffer.from(decryptSigningKey(db, name, (await find())!), code)
}

/**
 * Has a key made before the first call: two calls that made it at once, each holding a row of the other, would wait for each other. Who needs
 * it makes it, should the database be away now.
 */
export function makeSigningKeyEarly(server: FastifyInstance, { db }: { db: AppDb }, name: string) {
  server.addHook('onReady', () =>
    getSigningKey(db, name).then(
      () => {},
      () => {}
    )
  )
}

/** As it is kept, from base64url and to it. From before they were encrypted they are 32 bytes as they are. */
export const encryptSigningKey = ({ keys }: Keyed, name: string, secret: string) => keys.encrypt(placeOf(name), secret)
export function decryptSigningKey({ keys }: Keyed, name: string, kept: Buffer): string {
  const text = kept.toString('latin1')
  return isEncrypted(text) ? keys.decrypt(placeOf(name), text) : kept.toString(code)
}
