import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'

/** Images that fleets may still roll out: of the version that whoever joins gets, of the one before it, and of all since. */
export async function imagesOfFleets(db: Db, account_id: string): Promise<{ fleet: string; version: number; image: string }[]> {
  const { rows } = await sql<{ fleet: string; version: number; image: string }>`
    select fleet.name as fleet, v.version, said.image
    from fleet join fleet_version v on v.account_id = fleet.account_id and v.fleet_id = fleet.id
    cross join lateral jsonb_to_recordset(v.containers) as said (image text)
    where fleet.account_id = ${account_id} and said.image is not null
      and v.version >= coalesce(fleet.version,
        (select max(last.version) from fleet_version last where last.account_id = fleet.account_id and last.fleet_id = fleet.id)) - 1
    order by fleet.name, v.version desc`.execute(db)
  return rows
}
