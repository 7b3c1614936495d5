import type { AppDb } from '../kernel/app.ts'
import type { Keyed } from '../kernel/secrets/secret-keys.ts'

const placeOf = (session_id: string) => `session_identity ${session_id}`

/** Encrypts a provider's ID token for the session that it opened: it names the person, and at signing out says whose session is meant. */
export const encryptIdToken = ({ keys }: Keyed, session_id: string, token: string): string => keys.encrypt(placeOf(session_id), token)

export const decryptIdToken = ({ keys }: Keyed, session_id: string, sealed: string): string => keys.decrypt(placeOf(session_id), sealed)

const rowsAtOnce = 1000

/** Encrypts what a release before kept as it was, which that release does without: signing out then names the client alone. Answers how many. */
export async function encryptClearTokens(db: AppDb): Promise<number> {
  const find = () =>
    db.selectFrom('session_identity').select(['session_id', 'id_token']).where('id_token', 'is not', null).limit(rowsAtOnce).execute()
  let locked = 0
  for (let rows = await find(); rows.length > 0; rows = await find()) {
    await db.transaction().execute(async (tx) => {
      for (const { session_id, id_token } of rows)
        await tx
          .updateTable('session_identity')
          .set({ id_token: null, sealed_id_token: encryptIdToken(tx, session_id, id_token!) })
          .where('session_id', '=', session_id)
          .execute()
    })
    locked += rows.length
  }
  return locked
}
