import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'
import { perApp } from '../../kernel/per-app.ts'
import { lockRegistry } from './quota.ts'
import type { Repository } from './repository.ts'

type Count = { account_id: string; repository_id: string; digest: string; pulls: number; at: Date }
type Waiting = { counts: Map<string, Count>; timer: NodeJS.Timeout | null }
const waitingOf = perApp((): Waiting => ({ counts: new Map(), timer: null }))
const writeEvery = 1000 // ms

/** Counts a pull: within a second, with others, so that a fleet that pulls one image at once does not wait for its row. */
export function countPull(app: App, { account_id, repository_id }: Repository, digest: string): void {
  const own = waitingOf(app)
  const key = `${repository_id} ${digest}`
  own.counts.set(key, { account_id, repository_id, digest, pulls: (own.counts.get(key)?.pulls ?? 0) + 1, at: app.clock.now() })
  own.timer ??= setTimeout(() => {
    writePulls(app).catch((error: unknown) => app.log.warn({ err: error }, 'pulls of images could not be counted'))
  }, writeEvery).unref()
}

/** Writes what was counted. A manifest that an index names was pulled with that: the repository counts once. One that was deleted meanwhile counts nothing. */
export async function writePulls(app: App): Promise<void> {
  const own = waitingOf(app)
  if (own.timer) clearTimeout(own.timer)
  own.timer = null
  const waiting = Map.groupBy(own.counts.values(), ({ account_id }) => account_id)
  own.counts.clear()
  try {
    for (const [account_id, rows] of waiting) {
      await addPulls(app, account_id, rows)
      waiting.delete(account_id)
    }
  } catch (error) {
    // They are counted at the next try, with those that came meanwhile.
    for (const row of [...waiting.values()].flat()) {
      const key = `${row.repository_id} ${row.digest}`
      const more = own.counts.get(key)
      own.counts.set(key, { ...row, pulls: row.pulls + (more?.pulls ?? 0), at: more?.at ?? row.at })
    }
    throw error
  }
}

async function addPulls(app: App, account_id: string, rows: readonly Count[]): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (account_id text, repository_id text, digest text, pulls bigint, at timestamptz)`
  await app.db.transaction().execute(async (tx) => {
    await lockRegistry(tx, account_id)
    await sql`update registry_manifest m set pulls = m.pulls + g.pulls, pulled_at = greatest(m.pulled_at, g.at) from ${given}
      where m.account_id = g.account_id and m.repository_id = g.repository_id and m.digest = g.digest`.execute(tx)
    await sql`with counted as (
        select g.account_id, g.repository_id, sum(g.pulls) as pulls, max(g.at) as at from ${given}
        where exists (select from registry_repository r where r.account_id = g.account_id and r.id = g.repository_id)
        and not exists (select from registry_reference r
          where r.account_id = g.account_id and r.repository_id = g.repository_id and r.target = g.digest)
        group by 1, 2),
      days as (insert into registry_pull_day as d (account_id, repository_id, day, pulls)
        select account_id, repository_id, (at at time zone 'UTC')::date, pulls from counted
        on conflict (account_id, repository_id, day) do update set pulls = d.pulls + excluded.pulls)
      update registry_repository r set pulls = r.pulls + counted.pulls, pulled_at = greatest(r.pulled_at, counted.at) from counted
      where r.account_id = counted.account_id and r.id = counted.repository_id`.execute(tx)
  })
}
