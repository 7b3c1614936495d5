import type { AdvisoryEcosystem, AdvisoryLoad } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import { readerOf } from './versions/compare.ts'

/** What images are compared with. Null: nothing was loaded. */
export async function getLoad(db: Db): Promise<AdvisoryLoad | null> {
  const found = await db
    .selectFrom('advisory_load')
    .select(['id', 'file_name', 'loaded_at', 'loaded_by', 'advisories', 'refused'])
    .where('current', '=', true)
    .executeTakeFirst()
  return found ? { ...found, loaded_at: found.loaded_at.toISOString() } : null
}

export async function getAdvisories(db: Db): Promise<{ load: AdvisoryLoad | null; ecosystems: AdvisoryEcosystem[] }> {
  const load = await getLoad(db)
  if (!load) return { load, ecosystems: [] }
  const { rows } = await sql<{ ecosystem: string; advisories: number }>`select ecosystem, count(distinct id)::int as advisories
    from advisory_affected where load_id = ${load.id} group by ecosystem order by 2 desc, 1`.execute(db)
  return { load, ecosystems: rows.map((row) => ({ ...row, compared: readerOf(row.ecosystem) ? 'order' : 'listed' })) }
}
