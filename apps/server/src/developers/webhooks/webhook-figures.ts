import { sql } from 'kysely'
import { failuresToPause } from '@masthead/contract/developers/webhook'
import type { DatabaseFigure } from '../../kernel/database-figures.ts'

/** What `/metrics` says of webhooks as the database has them. */
export const webhookFigures: readonly DatabaseFigure[] = [
  {
    name: 'masthead_webhooks',
    help: 'Webhooks, by how their receivers do',
    labelNames: ['state'],
    samples: async ({ db }) => {
      const { rows } = await sql<{ state: string; value: number }>`select s.state, count(w.id) as value
        from unnest(array['working', 'failing', 'paused', 'disabled']) as s(state) left join (select id,
          case when disabled_at is not null then 'disabled' when failures >= ${failuresToPause} then 'paused'
            when failures > 0 then 'failing' else 'working' end as state from webhook) w using (state) group by 1`.execute(db)
      return rows.map(({ state, value }) => ({ value, labels: { state } }))
    },
  },
  {
    name: 'masthead_webhook_deliveries_waiting',
    help: 'Deliveries to webhooks that are still to be made',
    samples: async ({ db }) =>
      (await sql<{ value: number }>`select count(*) as value from webhook_delivery where due_at is not null`.execute(db)).rows,
  },
]
