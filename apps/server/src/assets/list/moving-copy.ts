import { sql } from 'kysely'
import type { App, Db } from '../../kernel/app.ts'
import { repeat } from '../../kernel/jobs/repeat.ts'
import { totalBytes } from '../../usage/index.ts'
import { monthOf } from '../sim-row.ts'
import type { Viewer } from '../viewer.ts'

/** Accounts with more assets are asked from the copy for what moves with every packet: no index of the counters has it. */
export const mostMoving = 50_000
/** Begun so long after the one before, a copy is complete before that one is a minute old. */
const copiedEvery = 30_000 // ms
/** An older copy is not asked: the worker that makes it has stopped. */
const oldest = 10 * 60_000 // ms
/** In one transaction: a long one would hold the roll-ups up. */
const mostAtOnce = 20_000

/** Keeps the copies of large accounts, until stopped. */
export const startMovingCopies = (app: App): { stop: () => Promise<void> } => repeat(app, 'copying what moves', () => copyNext(app), 5000)

/** When the copy of an account was begun, and whether it has a row of each asset, where it has one that may be asked. */
export const findCopy = (db: Db, { account_id, at }: Viewer): Promise<Pick<Required<Viewer>, 'copied_at' | 'of_all'> | undefined> =>
  db
    .selectFrom('asset_moving_copy')
    .select(['copied_at', sql<boolean>`coalesce(all_at = copied_at, false)`.as('of_all')])
    .where('account_id', '=', account_id)
    .where('copied_at', '>', new Date(at.getTime() - oldest))
    .executeTakeFirst()

/** The SIMs with most data in this month, of a copy that may be asked; undefined where none says so, as when the copy is of before the month began. */
export async function listLargest(db: Db, viewer: Pick<Viewer, 'account_id' | 'tags' | 'at'>, most: number): Promise<string[] | undefined> {
  if (!(await findCopy(db, viewer))) return undefined
  const { rows } = await sql<{ sim_id: string }>`select sim_id from asset_moving
    where account_id = ${viewer.account_id} and used > 0 and period_start >= ${monthOf(viewer.at).start}::date
    order by used desc limit ${most}`.execute(db)
  return rows.length > 0 ? rows.map(({ sim_id }) => sim_id) : undefined
}

/** Makes the copy of the large account whose copy is the oldest, where it is old. True when another may wait. `from`: how large is large. */
export async function copyNext({ db, clock }: Pick<App, 'db' | 'clock'>, from = mostMoving): Promise<boolean> {
  const now = clock.now()
  const { rows } = await sql<{ account_id: string }>`
    select c.account_id from (select account_id from asset_count group by 1 having sum(count) > ${from}) c
      left join asset_moving_copy m on m.account_id = c.account_id
    where m.copied_at is null or m.copied_at not between ${new Date(now.getTime() - copiedEvery)} and ${now}
    order by m.copied_at nulls first, c.account_id limit 1`.execute(db)
  const account_id = rows[0]?.account_id
  if (!account_id) return false
  let after: string | null | undefined = ''
  while (typeof after === 'string') {
    const place: string = after
    after = await db.transaction().execute(async (tx) => {
      const { rows: locks } = await sql<{
        locked: boolean
      }>`select pg_try_advisory_xact_lock(hashtext('masthead.moving_copy')) as locked`.execute(tx)
      if (!locks[0]!.locked) return undefined // another worker is at it
      const { rows: part } = await copyPart(account_id, place).execute(tx)
      const last = part[0]?.last ?? null
      if (last === null)
        await sql`insert into asset_moving_copy (account_id, copied_at, all_at) select id, ${now}, ${now} from account where id = ${account_id}
          on conflict (account_id) do update set copied_at = excluded.copied_at, all_at = excluded.all_at`.execute(tx)
      return last
    })
  }
  return after === null
}

/** Copies of the next assets, those that were never seen too, in the order of their ids, what is not as it was. The last of them; null: there were none. */
const copyPart = (account_id: string, after: string) => sql<{ last: string | null }>`
  with part as materialized (select id, sim_id from asset where account_id = ${account_id} and id > ${after} order by id limit ${mostAtOnce}),
  changed as materialized (
    select part.id, part.sim_id, c.period_start, ${totalBytes('c')} as used, c.seen_at
    from part left join sim_counter c on c.account_id = ${account_id} and c.sim_id = part.sim_id
      left join asset_moving m on m.account_id = ${account_id} and m.asset_id = part.id
    where m.asset_id is null or (m.sim_id, m.period_start, m.used, m.seen_at) is distinct from (part.sim_id, c.period_start, ${totalBytes('c')}, c.seen_at)),
  written as (
    insert into asset_moving as m (account_id, asset_id, sim_id, period_start, used, seen_at, mccmnc)
    select ${account_id}, changed.*, case when changed.period_start is not null then (select s.mccmnc from data_session s
      where s.account_id = ${account_id} and s.sim_id = changed.sim_id order by s.started_at desc, s.id desc limit 1) end from changed
    on conflict (account_id, asset_id) do update set sim_id = excluded.sim_id, period_start = excluded.period_start, used = excluded.used,
      seen_at = excluded.seen_at, mccmnc = excluded.mccmnc returning 1)
  select max(id) as last, (select count(*) from written) as written from part`
