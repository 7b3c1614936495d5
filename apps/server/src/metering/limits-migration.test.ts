import { expect, test } from 'vitest'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { migrate } from '../kernel/database/migrations/migrate.ts'
import { openPool } from '../kernel/database/pool.ts'

test('a limit that a SIM had is one of its own, of the month, and goes with it', async () => {
  const pool = openPool(await emptyDatabase(), { max: 2 })
  try {
    await migrate(pool, { until: '0030' })
    await pool.query(`insert into account (id, team_name) values ('acc_1', 'One')`)
    await pool.query(`insert into asset (account_id, id, type, serial, name) values ('acc_1', 'ast_1', 'plastic_sim', 'one', 'One')`)
    await pool.query(`insert into sim (account_id, id, asset_id, iccid, state, limit_bytes) values
      ('acc_1', 'sim_1', 'ast_1', '893108201700443001', 'active', 500), ('acc_1', 'sim_2', 'ast_1', '893108201700443002', 'active', null)`)
    await pool.query(`insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      values ('acc_1', 'sim_1', '2026-11-01', 200, 300, 200, 300, now())`)
    await migrate(pool)
    const { rows } =
      await pool.query(`select l.sim_id, l.period, limit_allows(l.bytes, l.raised_bytes, l.raised_period, l.period, '2026-11-24') as allows,
        limit_used(l.period, '2026-11-24', c.day, c.day_up, c.day_down, c.period_start, c.bytes_up, c.bytes_down) as used
      from sim_limit l join sim_counter c on c.sim_id = l.sim_id`)
    expect(rows).toMatchObject([{ sim_id: 'sim_1', period: 'month', allows: 500 }])
    expect(Number(rows[0].used)).toBe(500)
    await pool.query(`delete from sim where id = 'sim_1'`)
    expect((await pool.query('select from usage_limit where sim_id is not null')).rowCount).toBe(0)
  } finally {
    await pool.end()
  }
})
