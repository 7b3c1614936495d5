import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'
import { containing } from '../../kernel/http/like.ts'

/** Images of some repositories that fleets may still roll out, or go back to: of each version. */
export async function imagesOfFleets(
  db: Db,
  account_id: string,
  repositories: readonly string[]
): Promise<{ fleet: string; version: number; image: string }[]> {
  const { rows } = await sql<{ fleet: string; version: number; image: string }>`
    select fleet.name as fleet, v.version, said.image
    from fleet join fleet_version v on v.account_id = fleet.account_id and v.fleet_id = fleet.id
    cross join lateral jsonb_to_recordset(v.containers) as said (image text)
    where fleet.account_id = ${account_id} and said.image like any(${repositories.map((name) => containing(`/${name}`))}::text[])
    order by fleet.name, v.version desc`.execute(db)
  return rows
}
