import { sql } from 'kysely'
import { repositoryOf } from '../../devices/agent/index.ts'
import type { Db } from '../../kernel/app.ts'

/** Images of some repositories that fleets may still roll out, or go back to: of each version. */
export async function imagesOfFleets(
  db: Db,
  account_id: string,
  repositories: readonly string[]
): Promise<{ fleet: string; version: number; image: string }[]> {
  const { rows } = await sql<{ fleet: string; version: number; image: string }>`
    select fleet.name as fleet, v.version, said.image
    from fleet_version v join fleet on fleet.account_id = v.account_id and fleet.id = v.fleet_id
    cross join lateral jsonb_to_recordset(v.containers) as said (image text)
    where v.account_id = ${account_id} and repositories_in(v.containers) && ${[...repositories]}::text[]
    order by fleet.name, v.version desc`.execute(db)
  const named = new Set(repositories)
  return rows.filter(({ image }) => named.has(repositoryOf(image)))
}
