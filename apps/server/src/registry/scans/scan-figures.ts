import { sql } from 'kysely'
import type { DatabaseFigure } from '../../kernel/database-figures.ts'

/** What `/metrics` says of scans as the database has them. */
export const scanFigures: readonly DatabaseFigure[] = [
  {
    name: 'masthead_scans',
    help: 'Scans of images, by how far they are',
    labelNames: ['state'],
    samples: async ({ db }) => {
      const { rows } = await sql<{ state: string; value: number }>`select s.state, count(r.digest) as value
        from unnest(array['waiting', 'under_way', 'done', 'failed']) as s (state)
        left join registry_scan r on s.state = case when r.state = 'asking' then 'under_way' else r.state end group by 1`.execute(db)
      return rows.map(({ state, value }) => ({ value, labels: { state } }))
    },
  },
]
