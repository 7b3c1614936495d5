import { afterAll, beforeAll, expect, test } from 'vitest'
import type pg from 'pg'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { migrate } from '../../kernel/database/migrations/migrate.ts'
import { openPool } from '../../kernel/database/pool.ts'

let pool: pg.Pool
beforeAll(async () => {
  pool = openPool(await emptyDatabase(), { max: 3 })
  await migrate(pool, { until: '0128' })
  await pool.query(`insert into account (id, team_name) values ('acc_1', 'Acme'), ('acc_2', 'Dana')`)
  await pool.query(
    `insert into person (id, account_id, email) values ('prs_1', 'acc_1', 'owner@acme.test'), ('prs_2', 'acc_2', 'dana@acme.test')`
  )
  for (const [id, by] of [
    ['rul_1', 'dana@acme.test'],
    ['rul_2', 'nobody@acme.test'],
  ])
    await pool.query(
      `insert into alert_rule (account_id, id, name, metric, threshold, scope, severity, action, after_minutes, cooldown_days, most_sims, created_at, created_by)
      values ('acc_1', $1, 'Rule', 'usage_day', 1, '', 'warn', 'deactivate_sim', 0, 1, 20, now(), $2)`,
      [id, by]
    )
  await migrate(pool)
})
afterAll(() => pool.end())

test('for a rule from before its maker answers; where nobody has that address any more, the owner does', async () => {
  const { rows } = await pool.query(`select id, person_id, key_id, lasts from alert_rule order by id`)
  expect(rows).toEqual([
    { id: 'rul_1', person_id: 'prs_2', key_id: null, lasts: 'for_good' },
    { id: 'rul_2', person_id: 'prs_1', key_id: null, lasts: 'for_good' },
  ])
})
