import { expect, test } from 'vitest'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { migrate } from '../../kernel/database/migrations/migrate.ts'
import { openPool } from '../../kernel/database/pool.ts'

const job = (generation: number) => JSON.stringify({ generation, do: 'delete', iccid: '8931440400002815534' })

test('a network of which only the eSIM was ever changed has no settings, and one whose settings the device is to take back keeps them', async () => {
  const pool = openPool(await emptyDatabase(), { max: 2 })
  const put = async (asset_id: string, more: Record<string, unknown>) => {
    await pool.query(`insert into asset (account_id, id, type, serial, name) values ('acc_1', $1, 'alpon_x4', $1, $1)`, [asset_id])
    await pool.query(`insert into application (account_id, asset_id) values ('acc_1', $1)`, [asset_id])
    const values = { generation: 3, has_apn_password: false, sealed_secrets: '', changed_at: new Date(), changed_by: 'a@b.test', ...more }
    const columns = Object.keys(values)
    const places = columns.map((_, nth) => `$${nth + 2}`)
    await pool.query(`insert into device_network (account_id, asset_id, ${columns.join()}) values ('acc_1', $1, ${places.join()})`, [
      asset_id,
      ...Object.values(values),
    ])
  }
  try {
    await migrate(pool, { until: '0163' })
    await pool.query(`insert into account (id, team_name) values ('acc_1', 'One')`)
    await put('waiting', { esim_job: job(3) })
    await put('done', { sent_generation: 3 })
    await put('ordered', { priority: '["eth0"]', esim_job: job(3), sent_generation: 3 })
    await put('with_profile', { profile: '8931440400002815534', sent_generation: 3 })
    await put('with_pin', { pin_generation: 2, sent_generation: 3 })
    await put('taken_back', {})
    await put('taken_back_after_job', { generation: 4, esim_job: job(3) })
    await migrate(pool)
    const { rows } = await pool.query<{ asset_id: string; generation: number; sent_generation: number | null }>(
      'select asset_id, generation, sent_generation from device_network'
    )
    expect(Object.fromEntries(rows.map(({ asset_id, generation, sent_generation }) => [asset_id, [generation, sent_generation]]))).toEqual({
      waiting: [0, null],
      done: [0, 0],
      ordered: [3, 3],
      with_profile: [3, 3],
      with_pin: [3, 3],
      taken_back: [3, null],
      taken_back_after_job: [4, null],
    })
  } finally {
    await pool.end()
  }
})
