import { configsOf, isApplied, mostWaitingChanges, type ConfigChange } from '@masthead/contract/devices/config'
import { sql } from 'kysely'

/** The CORE device of an asset: what its configuration is to be, what it reports of it, and how many changes of it wait. */
export type Core = { wanted: Record<string, unknown>; reported: Record<string, unknown> | null; waiting: number }

const ofAsset = sql`device.account_id = asset.account_id and device.asset_id = asset.id and device.kind = 'core'`
const waiting = sql`(select count(*) from device_config c where c.account_id = device.account_id and c.device_id = device.id
  and c.received_at is null and c.withdrawn_at is null)`

/** The same as JSON; null where it has none. */
export const coreOf = sql`(select json_build_object('wanted', device.desired, 'reported', device.reported -> 'config', 'waiting', ${waiting})
  from device where ${ofAsset})`

/** Whether all of a change is wanted of the device already, and is on its way to it or is not known to be otherwise. */
export const isWanted = ({ wanted, reported, waiting }: Core, change: ConfigChange): boolean =>
  Object.entries(configsOf(change)).every(
    ([key, value]) => isApplied(value, wanted[key]) === true && (waiting > 0 || isApplied(value, reported?.[key]) !== false)
  )

/** What becomes of an asset's CORE device by a change, as `judgeWish` says it. */
export function outcomeOfConfig(change: ConfigChange) {
  const otherwise = sql`device.desired -> k.key is distinct from k.value or (given.waiting = 0
    and coalesce(nullif(device.reported -> 'config' -> k.key, 'null'::jsonb), k.value) <> k.value)`
  return sql`else coalesce((select case
      when not exists (select from jsonb_each(${JSON.stringify(configsOf(change))}::jsonb) k where ${otherwise}) then 'already'
      when given.waiting >= ${mostWaitingChanges} then 'too_many_changes' else 'changed' end
    from device cross join lateral (select ${waiting} as waiting) given where ${ofAsset}), 'no_core')`
}
