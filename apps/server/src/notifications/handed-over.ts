import { sql } from 'kysely'
import { registerAsset } from '@masthead/contract/assets/operations'
import type { App, Db } from '../kernel/app.ts'
import { raiseAlert } from './raise-alert.ts'

/** There is one alert of it on an account, however often assets come. */
export const handedOverCause = 'handed_over:'

/** How many assets were handed over to the owner of an account, and wait to be registered. */
async function countWaiting(db: Db, account_id: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from inventory i
    where i.account_id is null and i.reserved_for is not null
      and i.reserved_for = (select email from person where account_id = ${account_id})`.execute(db)
  return rows[0]!.waiting
}

/** Whether some wait still. */
export const someWait = async (db: Db, account_id: string): Promise<boolean> => (await countWaiting(db, account_id)) > 0

/** `asset_id`: the first of those that left together; as an id it comes once. */
type HandedOver = { email: string; asset_id: string; handed_at: string }

/** Notifies the account of the address that assets were handed over to, if there is one. Safe to repeat: one handing over is one time. */
export async function notifyReceiver({ db }: App, { email, asset_id, handed_at }: HandedOver): Promise<void> {
  const owner = await db.selectFrom('person').select('account_id').where('email', '=', email).executeTakeFirst()
  if (!owner) return
  const { account_id } = owner
  const waiting = await countWaiting(db, account_id)
  if (waiting === 0) return
  const wait = waiting === 1 ? '1 asset waits' : `${waiting.toLocaleString('en')} assets wait`
  await db.transaction().execute((tx) =>
    raiseAlert(
      tx,
      { account_id, raised_by: `${handedOverCause}${asset_id}`, at: new Date(handed_at) },
      {
        cause: handedOverCause,
        severity: 'info',
        source: 'policy',
        title: 'Assets were handed over to you',
        words: `${wait} for this account, counted when the last of them came. Register each by its serial number or ICCID, which whoever handed it over knows.`,
        lasting: true,
        // Of whoever may register them.
        permission: registerAsset.access,
        link: '/assets',
      }
    )
  )
}
