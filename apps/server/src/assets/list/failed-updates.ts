import { sql } from 'kysely'

const versionOf = (text: ReturnType<typeof sql>) =>
  sql`string_to_array(substring(${text} from '^[0-9]{1,5}\\.[0-9]{1,5}\\.[0-9]{1,5}$'), '.')::int[]`
/** The agent of `device` is not known to run that version, or a newer one. */
const isBehind = (version: ReturnType<typeof sql>) =>
  sql`(${versionOf(sql`device.reported -> 'agent' -> 'versions' ->> 'agent'`)} >= ${versionOf(version)}) is not true`

/**
 * Ids of the assets whose device was not brought to what it was to run last: by the newest rollout that it is in, as the list of its fleet says it, or by the update of
 * its agent that was asked for last. One that runs as new a version by now, however that came, is none.
 */
export const failedUpdates = (account_id: string) => sql<{ id: string }>`
  select failed.asset_id as id from rollout_device failed
    join rollout r on r.account_id = failed.account_id and r.id = failed.rollout_id
    join fleet_asset own on own.account_id = failed.account_id and own.asset_id = failed.asset_id and own.fleet_id = r.fleet_id
    join fleet on fleet.account_id = r.account_id and fleet.id = r.fleet_id
  where failed.account_id = ${account_id} and failed.state = 'failure' and failed.asset_id is distinct from fleet.pilot_asset_id
    and not exists (select from rollout later join rollout_device d on d.account_id = later.account_id and d.rollout_id = later.id
      where later.account_id = r.account_id and later.fleet_id = r.fleet_id and later.id > r.id and d.asset_id = failed.asset_id)
  union select device.asset_id from agent_update asked join device on device.account_id = asked.account_id and device.id = asked.device_id
  where asked.account_id = ${account_id} and device.reported -> 'agent' -> 'update' ->> 'id' = asked.id
    and device.reported -> 'agent' -> 'update' ->> 'state' = 'gone_back' and ${isBehind(sql`asked.version`)}
  union select device.asset_id from agent_update_try tried join device on device.account_id = tried.account_id and device.id = tried.device_id
  where tried.account_id = ${account_id} and tried.outcome = 'failure' and ${isBehind(sql`tried.version`)}
    and not exists (select from agent_update asked where asked.account_id = tried.account_id and asked.device_id = tried.device_id and asked.id <> tried.id)`
