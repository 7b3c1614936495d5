import { sql } from 'kysely'
import { poolSimsFollowed } from '@masthead/contract/signals'
import type { App, Tx } from '../kernel/app.ts'
import { task } from '../kernel/jobs/jobs.ts'
import { publish } from '../kernel/live/publish.ts'

const assetsAtOnce = 500

type Gone = { account_id: string; tag_ids: string[] }

/** Takes tags that were deleted off their assets, whose SIMs leave the data pools that only these tags brought them to. May be repeated. */
export async function clearTags({ db, clock }: App, gone: Gone): Promise<void> {
  while ((await db.transaction().execute((tx) => clearSome(tx, gone, clock.now()))) > 0);
}

async function clearSome(tx: Tx, { account_id, tag_ids }: Gone, at: Date): Promise<number> {
  // Before the locks of SIMs, as everywhere.
  await sql`select lock_pools(${account_id})`.execute(tx)
  // A tag that is there again, from a dump, is none that was deleted.
  const { rows } = await sql<{ asset_id: string }>`delete from asset_tag where (account_id, asset_id, tag_id) in (
      select t.account_id, t.asset_id, t.tag_id from asset_tag t where t.account_id = ${account_id} and t.tag_id = any(${tag_ids}::text[])
        and not exists (select from tag where tag.account_id = t.account_id and tag.id = t.tag_id)
      order by t.tag_id, t.asset_id limit ${assetsAtOnce} for update) returning asset_id`.execute(tx)
  if (rows.length === 0) return 0
  const asset_ids = rows.map(({ asset_id }) => asset_id)
  await sql`select follow_pools(${account_id}, ${asset_ids}::text[], ${at})`.execute(tx)
  await publish(tx, account_id, poolSimsFollowed)
  return rows.length
}

export const tagTasks = [task('clear_tags', (app, gone: Gone) => clearTags(app, gone))]
