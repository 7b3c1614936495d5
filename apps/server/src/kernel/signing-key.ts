import { randomBytes } from 'node:crypto'
import type { Db } from './app.ts'

/** A secret of this installation, made the first time it is asked for; two that ask at once get the same. */
export async function getSigningKey(db: Db, name: string): Promise<Buffer> {
  const find = () => db.selectFrom('signing_key').select('secret').where('name', '=', name).executeTakeFirst()
  const found = await find()
  if (found) return found.secret
  await db
    .insertInto('signing_key')
    .values({ name, secret: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await find())!.secret
}
