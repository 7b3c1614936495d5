import { sql } from 'kysely'
import { registerAsset } from '@masthead/contract/assets/operations'
import type { App, Db } from '../kernel/app.ts'
import { raiseAlert } from './raise-alert.ts'

/** There is one alert of it on an account, however often assets come. */
export const handedOverCause = 'handed_over:'

/**
 * Stock `i` that the owner `p` may register because it was handed over: to an address that is known to be theirs, since anybody can open an account with
 * another's, or by themselves, and came back.
 */
export const waits = sql`i.account_id is null and i.reserved_for is not null and i.reserved_for = p.email
  and (p.email_proven_at is not null or i.released_by = p.account_id)`

/** How many assets wait to be registered by the owner of an account, and how many of these came back to them. */
async function countWaiting(db: Db, account_id: string): Promise<{ waiting: number; back: number }> {
  const { rows } = await sql<{ waiting: number; back: number }>`select count(*)::int as waiting,
    count(*) filter (where i.released_by = p.account_id)::int as back
    from person p join inventory i on ${waits} where p.account_id = ${account_id}`.execute(db)
  return rows[0]!
}

/** Whether some wait still. */
export const someWait = async (db: Db, account_id: string): Promise<boolean> => (await countWaiting(db, account_id)).waiting > 0

/** `asset_id`: the first of those that left together; as an id it comes once. */
type HandedOver = { email: string; asset_id: string; handed_at: string }

/** Notifies the account of the address that assets were handed over to, if there is one that may register them. Safe to repeat: one handing over is one time. */
export async function notifyReceiver({ db }: App, { email, asset_id, handed_at }: HandedOver): Promise<void> {
  const owner = await db.selectFrom('person').select('account_id').where('email', '=', email).executeTakeFirst()
  if (owner) await raiseWaiting(db, owner.account_id, { raised_by: asset_id, at: new Date(handed_at) })
}

/** Notifies where something waits and no alert says so: the address was registered or confirmed later, or what was handed over came back as an account was erased. */
export async function notifyOfWaiting({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const { rows } = await sql<{ account_id: string }>`select distinct p.account_id from inventory i join person p on ${waits}
    where not exists (select from alert a where a.account_id = p.account_id and a.cause = ${handedOverCause} and a.resolved_at is null)`.execute(
    db
  )
  for (const { account_id } of rows) await raiseWaiting(db, account_id, { raised_by: at.toISOString(), at })
}

async function raiseWaiting(db: App['db'], account_id: string, { raised_by, at }: { raised_by: string; at: Date }): Promise<void> {
  const { waiting, back } = await countWaiting(db, account_id)
  if (waiting === 0) return
  const wait = waiting === 1 ? '1 asset waits' : `${waiting.toLocaleString('en')} assets wait`
  const said =
    back === waiting
      ? {
          title: 'Assets that you handed over came back',
          words: `${wait} for this account again, because the account that was to register them was closed. Register each by its serial number or ICCID.`,
        }
      : {
          title: 'Assets were handed over to you',
          words: `${wait} for this account, counted when the last of them came. Register each by its serial number or ICCID, which whoever handed it over knows.`,
        }
  await db.transaction().execute((tx) =>
    raiseAlert(
      tx,
      { account_id, raised_by: `${handedOverCause}${raised_by}`, at },
      {
        cause: handedOverCause,
        severity: 'info',
        source: 'policy',
        ...said,
        lasting: true,
        // Of whoever may register them.
        permission: registerAsset.access,
        link: '/assets',
      }
    )
  )
}
