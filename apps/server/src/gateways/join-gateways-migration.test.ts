import { afterAll, beforeAll, expect, test } from 'vitest'
import type pg from 'pg'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { migrate } from '../kernel/database/migrations/migrate.ts'
import { openPool } from '../kernel/database/pool.ts'
import { SecretKeys } from '../kernel/secrets/secret-keys.ts'
import { decryptGatewaySecret, encryptGatewaySecret } from './gateway-rows.ts'

const db = { keys: new SecretKeys({ secretKeys: [Buffer.from(testSecretKey, 'base64')] }) }
let pool: pg.Pool
beforeAll(async () => {
  pool = openPool(await emptyDatabase(), { max: 3 })
  await migrate(pool, { until: '0020' })
  await fill()
  await migrate(pool)
})
afterAll(() => pool.end())

/** Each with its NAS names and the days since they were last seen. Older ones first. */
const gateways: Record<string, { disabled?: boolean; names: [name: string, days: number][] }> = {
  'ams-a': { names: [['pgw-ams', 1]] },
  'iad-old': { disabled: true, names: [['pgw-iad', 3]] },
  'ams-b': {
    names: [
      ['pgw-ams', 2],
      ['pgw-proxied', 2],
    ],
  },
  'iad-new': { names: [['pgw-iad', 0]] },
  proxy: { names: [['pgw-proxied', 29]] },
  alone: { names: [['pgw-alone', 0]] },
  'long-ago': { names: [['pgw-alone', 31]] },
  // These two meet at `between` alone, which is switched off.
  'par-a': { names: [['pgw-par', 0]] },
  between: {
    disabled: true,
    names: [
      ['pgw-par', 3],
      ['pgw-lon', 4],
      ['pgw-own', 5],
    ],
  },
  'lon-a': { names: [['pgw-lon', 0]] },
  'fra-a': { disabled: true, names: [['pgw-fra', 1]] },
  'fra-b': { disabled: true, names: [['pgw-fra', 1]] },
}

async function fill() {
  await pool.query(`insert into account (id, team_name) values ('acc_1', 'Acme')`)
  let n = 0
  for (const [name, { disabled = false, names }] of Object.entries(gateways)) {
    const [id, address] = [`gtw_${name}`, `192.0.2.${++n}`]
    await pool.query(
      `insert into gateway (id, name, address, secret, legacy, coa_port, created_at, heard_at, packets, disabled_at)
        values ($1, $2, $3, $4, $5, $6, timestamptz '2026-01-01' + $7 * interval '1 day', '2026-10-01', $8, case when $9 then now() end)`,
      [id, name, address, encryptGatewaySecret(db, id, `secret of ${name}`), name === 'proxy', 3799 + n, n, n * 100, disabled]
    )
    for (const [nas, days] of names) {
      await pool.query(
        `insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, started_at, updated_at, heard_at)
          select 'acc_1', $1 || nth, 'sim_1', 'ast_1', $2, $3, $1 || nth, t, t, t from generate_series(1, 3) nth, (select now() - $4 * interval '1 day' as t) at`,
        [`ses_${name}_${nas}_`, id, nas, days]
      )
    }
    await pool.query(
      `insert into quarantine (id, reason, gateway_id, nas, acct_session_id, identity, first_at, last_at, last_packet)
        values ($1, 'No SIM has this number', $2, $3, $1, '901', now(), now(), jsonb_build_object('gateway_id', $2::text, 'nas', $3::text))`,
      [`qua_${name}`, id, names[0]![0]]
    )
  }
}

const rows = async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows

test('gateways that sent sessions of one NAS name within 30 days are one, by the oldest in use, with all names, and not through one that is switched off', async () => {
  const found = await rows(`select g.id, g.name, g.disabled_at is null as used, array_agg(host(a.address) order by a.address) as addresses
    from gateway g join gateway_address a on a.gateway_id = g.id group by g.id order by g.id`)
  expect(found).toEqual([
    { id: 'gtw_alone', name: 'alone', used: true, addresses: ['192.0.2.6'] },
    { id: 'gtw_ams-a', name: 'ams-a and ams-b and proxy', used: true, addresses: ['192.0.2.1', '192.0.2.3', '192.0.2.5'] },
    { id: 'gtw_between', name: 'between', used: false, addresses: ['192.0.2.9'] },
    { id: 'gtw_fra-a', name: 'fra-a and fra-b', used: false, addresses: ['192.0.2.11', '192.0.2.12'] },
    { id: 'gtw_iad-new', name: 'iad-new', used: true, addresses: ['192.0.2.4'] },
    // Switched off: its sessions went to who goes on with them, its address is received no more than before.
    { id: 'gtw_iad-old', name: 'iad-old', used: false, addresses: ['192.0.2.2'] },
    { id: 'gtw_lon-a', name: 'lon-a', used: true, addresses: ['192.0.2.10'] },
    { id: 'gtw_long-ago', name: 'long-ago', used: true, addresses: ['192.0.2.7'] },
    { id: 'gtw_par-a', name: 'par-a', used: true, addresses: ['192.0.2.8'] },
  ])
})

test('every address keeps its id, secret, port, mark and count', async () => {
  const found = await rows<{ id: string; secret: string }>(
    'select id, secret, legacy, coa_port, packets from gateway_address order by address'
  )
  expect(found.map(({ secret, ...row }) => ({ ...row, secret: decryptGatewaySecret(db, row.id, secret) }))).toEqual(
    Object.keys(gateways).map((name, i) => ({
      id: `gtw_${name}`,
      secret: `secret of ${name}`,
      legacy: name === 'proxy',
      coa_port: 3800 + i,
      packets: (i + 1) * 100,
    }))
  )
})

test('sessions and quarantine follow, and none is lost', async () => {
  expect(await rows(`select gateway_id, count(*)::int as n, sum(revision)::int as moved from data_session group by 1 order by 1`)).toEqual([
    { gateway_id: 'gtw_alone', n: 3, moved: 0 },
    { gateway_id: 'gtw_ams-a', n: 12, moved: 9 },
    { gateway_id: 'gtw_between', n: 3, moved: 0 },
    { gateway_id: 'gtw_fra-a', n: 6, moved: 3 },
    { gateway_id: 'gtw_iad-new', n: 6, moved: 3 },
    { gateway_id: 'gtw_lon-a', n: 6, moved: 3 },
    { gateway_id: 'gtw_long-ago', n: 3, moved: 0 },
    { gateway_id: 'gtw_par-a', n: 6, moved: 3 },
  ])
  expect(await rows(`select distinct kind, account_id, state from quarantine`)).toEqual([
    { kind: 'unknown', account_id: null, state: 'open' },
  ])
  expect(await rows(`select id, gateway_id from quarantine where last_packet ->> 'gateway_id' = gateway_id order by id`)).toEqual(
    Object.keys(gateways)
      .map((name) => {
        const kept = { 'ams-b': 'ams-a', proxy: 'ams-a', 'iad-old': 'iad-new', between: 'par-a', 'fra-b': 'fra-a' }[name] ?? name
        return { id: `qua_${name}`, gateway_id: `gtw_${kept}` }
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  )
})

test('meters are notified of a change of either table, and not of what was received', async () => {
  const client = await pool.connect()
  let told = 0
  client.on('notification', () => told++)
  const tells = async (text: string) => {
    const before = told
    await client.query(text)
    await client.query('select 1')
    return told > before
  }
  try {
    await client.query('listen masthead_gateways')
    expect(await tells(`update gateway_address set heard_at = now(), packets = packets + 1`)).toBe(false)
    expect(await tells(`update gateway set disabled_at = now() where id = 'gtw_alone'`)).toBe(true)
    expect(await tells(`update gateway_address set legacy = true where id = 'gtw_alone'`)).toBe(true)
    expect(await tells(`update gateway_address set gateway_id = 'gtw_alone' where id = 'gtw_proxy'`)).toBe(true)
    expect(await tells(`delete from gateway_address where id = 'gtw_proxy'`)).toBe(true)
  } finally {
    client.release(true)
  }
})
