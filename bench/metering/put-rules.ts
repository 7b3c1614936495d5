import type pg from 'pg'

/** Metrics that are read from what packets move, with thresholds that few SIMs reach. */
const measured = [
  ['usage_day', 1e12],
  ['usage_month', 1e12],
  ['usual_times', 1000],
  ['limit_share', 10_000],
  ['abroad_day', 1e12],
  ['silent_hours', 1000],
  ['refused_day', 1e6],
  ['account_usage_day', 1e15],
  ['assets_usage_month', 1e15],
  ['usage_hour', 1e12],
] as const

/** So many alert rules, all on, of an account of `seedSims`, by its number. */
export async function putRules(pool: pg.Pool, number: number, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const [metric, threshold] = measured[n % measured.length]!
    await pool.query(
      `insert into alert_rule (account_id, id, name, metric, threshold, countries, scope, severity, action, after_minutes, cooldown_days, most_sims, enabled_at, created_at, created_by)
       values ('acc_' || lpad($1::text, 26, '0'), 'rul_' || lpad($2::text, 26, '0'), 'Rule ' || $2, $3, $4, $5, '', 'warn', 'tell', 0, 1, 100, now(), now(), 'bench')`,
      [String(number), String(n), metric, threshold, metric === 'abroad_day' ? ['DE'] : []]
    )
  }
}
