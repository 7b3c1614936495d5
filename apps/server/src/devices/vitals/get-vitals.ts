import { sql } from 'kysely'
import { vitalsPeriodWrong } from '@masthead/contract/devices/problems'
import { mostVitalsPoints, vitalsDays, type getVitals as op, type VitalsPoint } from '@masthead/contract/devices/vitals-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import { getAssetId } from '../../assets/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'

const hour = 3600
const day = 86_400
const steps = { minutes: [60, 300, 900, 1800], hours: [hour, 3 * hour, 6 * hour, day] } as const

/** What a device measured, by the finest step that is kept so long and fits into one answer. */
export async function getVitals(db: Db, actor: Actor, key: string, period: { from: string; to: string }): Promise<Reply<typeof op>> {
  const { account_id, at } = actor
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const seconds = (to.getTime() - from.getTime()) / 1000
  if (seconds <= 0 || seconds > vitalsDays.hours * day + hour) throw new Problem(vitalsPeriodWrong)
  const asset_id = await getAssetId(db, actor, key)
  const device = await db
    .selectFrom('device')
    .select('id')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .executeTakeFirst()
  const isRecent = at.getTime() - from.getTime() <= (vitalsDays.minutes * day + hour) * 1000
  const fits = (step: number) => seconds / step < mostVitalsPoints
  const step_s = (isRecent ? steps.minutes : []).find(fits) ?? steps.hours.find(fits) ?? day
  if (!device) return { step_s, items: [] }
  const source = step_s < hour ? sql`minute` : sql`hour`
  const rows =
    step_s < hour
      ? sql`select minute as at, 1 as n, cpu_pct, cpu_pct as cpu_max_pct, memory_pct, disk_pct, temperature_c, temperature_c as temperature_max_c
          from device_minute`
      : sql`select hour as at, samples as n, cpu_pct, cpu_max_pct, memory_pct, disk_pct, temperature_c, temperature_max_c from device_hour`
  const mean = (column: string) =>
    sql`round((sum(${sql.ref(column)} * n) / nullif(sum(n) filter (where ${sql.ref(column)} is not null), 0))::numeric, 2)::float8`
  const peak = (column: string) => sql`round(max(${sql.ref(column)})::numeric, 2)::float8`
  const { rows: items } = await sql<Omit<VitalsPoint, 'at'> & { at: Date }>`
    select date_bin(${step_s} * interval '1 second', at, 'epoch') as at, sum(n)::int as samples, ${mean('cpu_pct')} as cpu_pct,
      ${peak('cpu_max_pct')} as cpu_max_pct, ${mean('memory_pct')} as memory_pct, ${mean('disk_pct')} as disk_pct,
      ${mean('temperature_c')} as temperature_c, ${peak('temperature_max_c')} as temperature_max_c
    from (${rows} where account_id = ${account_id} and device_id = ${device.id} and ${source} >= ${from} and ${source} < ${to}) r
    group by 1 order by 1`.execute(db)
  return { step_s, items: items.map((item) => ({ ...item, at: item.at.toISOString() })) }
}
