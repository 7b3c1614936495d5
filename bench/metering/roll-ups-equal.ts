import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** Whether, within 20 s, hours of every SIM come to what its records do, and days and months to the hours that are closed. */
export async function rollUpsEqual(pool: pg.Pool): Promise<boolean> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await pause(200)) {
    const { rows } = await pool.query<{ wrong: number }>(`select count(*) as wrong from
        (select account_id, sim_id, sum(bytes_up) as up, sum(bytes_down) as down from usage_record group by 1, 2) r
      full join (select account_id, sim_id, sum(bytes_up) as up, sum(bytes_down) as down
        from (select * from usage_hour union all select * from usage_open_hour) h group by 1, 2) h using (account_id, sim_id)
      full join (select account_id, sim_id, sum(bytes_up) as up, sum(bytes_down) as down from usage_hour group by 1, 2) c using (account_id, sim_id)
      full join (select account_id, sim_id, sum(bytes_up) as up, sum(bytes_down) as down from usage_day group by 1, 2) d using (account_id, sim_id)
      full join (select account_id, sim_id, sum(bytes_up) as up, sum(bytes_down) as down from usage_month group by 1, 2) m using (account_id, sim_id)
      where r.up is distinct from h.up or r.down is distinct from h.down or c.up is distinct from d.up or c.down is distinct from d.down
        or d.up is distinct from m.up or d.down is distinct from m.down`)
    if (rows[0]!.wrong === 0) return true
  }
  return false
}
