import { sql } from 'kysely'
import { limitReached } from '@masthead/contract/assets/events'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import type { NamedSim } from '../assets/service/index.ts'
import { type App, systemActor } from '../kernel/app.ts'
import { recordMany } from '../kernel/record.ts'
import { limitNow } from '../usage/index.ts'

const simsAtOnce = 500

type Reached = NamedSim & { period: LimitPeriod; period_start: string; limit_bytes: number; used_bytes: number }

/** Records SIMs that reached a limit which blocks nobody: each once in its period. */
export async function notifyLimits(app: App): Promise<void> {
  const at = app.clock.now()
  const { start, allows, used } = limitNow(at)
  for (let found = simsAtOnce; found === simsAtOnce;) {
    found = await app.db.transaction().execute(async (tx) => {
      const { rows } = await sql<Reached>`with reached as (
          select s.account_id, s.id as sim_id, s.iccid, s.asset_id, l.period, ${start} as period_start, ${allows} as limit_bytes, ${used} as used_bytes
          from usage_limit l
            cross join lateral (
              select sim.* from sim where sim.account_id = l.account_id and sim.id = l.sim_id
              union all select sim.* from sim where sim.account_id = l.account_id and l.group_id = 'default' and sim.group_id is null
                and not exists (select from usage_limit own where own.account_id = sim.account_id and own.sim_id = sim.id)
              union all select sim.* from sim where sim.account_id = l.account_id and sim.group_id = l.group_id
                and not exists (select from usage_limit own where own.account_id = sim.account_id and own.sim_id = sim.id)
            ) s
            join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
          where l.action = 'alert' and ${used} >= ${allows}
            and not exists (select from limit_notice n where n.account_id = s.account_id and n.sim_id = s.id and n.period = l.period
              and n.period_start = ${start})
          limit ${simsAtOnce}
        ), noted as (
          insert into limit_notice (account_id, sim_id, period, period_start, at)
          select account_id, sim_id, period, period_start, ${at}::timestamptz from reached on conflict do nothing returning account_id, sim_id
        ) select reached.*, asset.name as asset_name from reached join noted using (account_id, sim_id)
          join asset on asset.account_id = reached.account_id and asset.id = reached.asset_id`.execute(tx)
      for (const [account_id, own] of Map.groupBy(rows, (row) => row.account_id))
        await recordMany(tx, systemActor(account_id, at), limitReached, own)
      return rows.length
    })
  }
  await app.db.transaction().execute((tx) => sql`delete from limit_notice where at < ${new Date(at.getTime() - noticesKept)}`.execute(tx))
}

const noticesKept = 70 * 86_400_000 // ms: longer than a period
