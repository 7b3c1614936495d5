import { sql } from 'kysely'
import type { RolloutDeviceState, RolloutTry } from '@masthead/contract/alpon-fleets/rollout'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { getAssetId } from '../../assets/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { getRollout } from './rollout-queries.ts'

type Of = { fleet_id: string; rollout_id: string; asset_id: string }

export async function listRolloutTries(
  db: Db,
  actor: Actor,
  { fleet_id, rollout_id, asset_id: key }: Of,
  query: PageQuery
): Promise<Page<RolloutTry>> {
  await getRollout(db, actor, fleet_id, rollout_id)
  const asset_id = await getAssetId(db, actor, key)
  const ofDevice = { account_id: actor.account_id, rollout_id, asset_id }
  const device = await db
    .selectFrom('rollout_device')
    .select('asset_id')
    .where((of) => of.and(ofDevice))
    .executeTakeFirst()
  if (!device) throw new Problem(notFound, 'The asset is not in this rollout')
  return pageByKey(db, query, {
    name: 'rollout_tries',
    all: db.selectFrom('rollout_try').where((of) => of.and(ofDevice)),
    keys: [{ of: sql.ref('started_at'), is: 'time' }],
    order: 'desc',
    rows: (page) => page.select(['started_at', 'ended_at', 'outcome', 'words']),
    items: (rows) =>
      rows.map(({ started_at, ended_at, ...each }) => ({
        ...each,
        started_at: started_at.toISOString(),
        ended_at: ended_at.toISOString(),
      })),
  })
}

type Ended = {
  ids: readonly string[]
  /** What each is from now on. */
  state: Exclude<RolloutDeviceState, 'started'>
  /** Why its try failed; null: it did not. */
  because: (asset_id: string) => string | null
  at: Date
}

/** Writes how tries of devices of a rollout ended. One that was refused has not begun. */
export async function endTries(
  tx: Tx,
  { account_id, rollout_id }: { account_id: string; rollout_id: string },
  { ids, state, because, at }: Ended
): Promise<void> {
  if (ids.length === 0) return
  await sql`with settled as (
      update rollout_device d set state = ${state}, error = given.words, settled_at = ${at}
      from rollout_device before join unnest(${[...ids]}::text[], ${ids.map(because)}::text[]) as given (asset_id, words) using (asset_id)
      where before.account_id = ${account_id} and before.rollout_id = ${rollout_id}
        and d.account_id = before.account_id and d.rollout_id = before.rollout_id and d.asset_id = before.asset_id
      returning d.asset_id, given.words, case when before.state = 'started' then before.started_at else ${at} end as started_at)
    insert into rollout_try (account_id, rollout_id, asset_id, started_at, ended_at, outcome, words)
      select ${account_id}, ${rollout_id}, asset_id, started_at, ${at}, ${state === 'success' ? 'success' : 'failure'}, words from settled
      on conflict do nothing`.execute(tx)
}
