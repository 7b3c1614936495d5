import { sql } from 'kysely'
import { addBlocks, clearBlocks, poolExhaustedBlock, switchesOf } from '../assets/service/index.ts'
import type { App, Tx } from '../kernel/app.ts'

const simsAtOnce = 500

/**
 * Brings the rows of an account's SIMs in step with what is decided of its pools: those of ended pools leave them, those that no pool gives anything are
 * blocked, and the others are not. May be repeated, and come late: it looks at what is decided now.
 */
export async function followPools({ db }: App, { account_id }: { account_id: string }): Promise<void> {
  for (const step of [leaveEnded, block, unblock]) {
    for (let changed = simsAtOnce; changed === simsAtOnce;) {
      changed = await db.transaction().execute((tx) => step(tx, account_id))
    }
  }
}

async function leaveEnded(tx: Tx, account_id: string): Promise<number> {
  const { rows } = await sql<{
    asset_ids: string[]
    sims: number
  }>`select coalesce(array_agg(distinct asset_id), '{}') as asset_ids, count(*)::int as sims from (
    select s.asset_id from data_pool p join data_pool_sim m on m.account_id = p.account_id and m.pool_id = p.id
      join sim s on s.account_id = m.account_id and s.id = m.sim_id
    where p.account_id = ${account_id} and p.ended_at is not null limit ${simsAtOnce}) gone`.execute(tx)
  const { asset_ids, sims } = rows[0]!
  if (asset_ids.length > 0) await sql`select follow_pools(${account_id}, ${asset_ids}::text[])`.execute(tx)
  return sims
}

type Exhausted = { account_id: string; sim_id: string; pool_name: string; exhausted_at: Date; ends_at: Date; pools: number }

/** Of SIMs `s`: in words, where no pool of theirs gives anything. */
const decided = sql.raw(switchesOf('s').pool_exhausted)

async function block(tx: Tx, account_id: string): Promise<number> {
  const { rows } =
    await sql<Exhausted>`select distinct on (s.id) s.account_id, s.id as sim_id, p.name as pool_name, t.exhausted_at, t.ends_at,
      count(*) over (partition by s.id)::int as pools
    from (select distinct m.account_id, m.sim_id from data_pool p
        join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at and t.exhausted_at is not null
        join data_pool_sim m on m.account_id = p.account_id and m.pool_id = p.id
        join sim s on s.account_id = m.account_id and s.id = m.sim_id and s.state <> 'terminated' and not s.blocks @> '[{"code":"pool_exhausted"}]'
        where p.account_id = ${account_id} and p.ended_at is null and ${decided} is not null
        order by 1, 2 limit ${simsAtOnce}) k
      join sim s on s.account_id = k.account_id and s.id = k.sim_id
      join data_pool_sim m on m.account_id = s.account_id and m.sim_id = s.id
      join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
    order by s.id, t.exhausted_at desc`.execute(tx)
  await addBlocks(
    tx,
    rows.map(({ exhausted_at, ends_at, pool_name, pools, ...sim }) => ({
      ...sim,
      block: poolExhaustedBlock({
        reached_at: exhausted_at,
        words: pools === 1 ? `The data pool ${pool_name} is used up` : `All ${pools} data pools of this SIM are used up`,
        clears: `On ${dayWords(ends_at)}, 00:00 UTC, if the pool renews, or when it gets more data`,
      }),
    }))
  )
  return rows.length
}

async function unblock(tx: Tx, account_id: string): Promise<number> {
  const { rows } = await sql<{ account_id: string; sim_id: string }>`select s.account_id, s.id as sim_id from sim s
    where s.account_id = ${account_id} and s.status not in ('ready', 'active', 'standby') and s.blocks @> '[{"code":"pool_exhausted"}]' and ${decided} is null
    order by 1, 2 limit ${simsAtOnce}`.execute(tx)
  await clearBlocks(tx, rows, 'pool_exhausted')
  return rows.length
}

const dayWords = (at: Date) => at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
