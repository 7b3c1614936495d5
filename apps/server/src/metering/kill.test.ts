import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openLoad } from '@masthead/simulator/load'
import { meterName } from './meter-connection.ts'
import { openMeteredHouse } from './test-network.ts'

const kills = 3

/** The meter's own process; the port is a free one when it is 0. */
async function forkMeter(databaseUrl: string, acct: number) {
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      MASTHEAD_RADIUS_AUTH_PORT: '0',
      MASTHEAD_RADIUS_ACCT_PORT: String(acct),
      MASTHEAD_LOG_LEVEL: 'silent',
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [message] = (await once(child, 'message')) as [{ ready: boolean; ports: { acct: number } }]
  return { child, acct: message.ports.acct }
}

test('kill -9 of the meter in the middle of a load: usage is exactly what was acknowledged', { timeout: 60_000 }, async () => {
  await using house = await openMeteredHouse({ meter: false })
  const sims = await Promise.all(Array.from({ length: 50 }, () => house.newSim()))
  let { child, acct } = await forkMeter(house.databaseUrl, 0)
  const load = await openLoad({
    target: { host: '127.0.0.1', acct_port: acct },
    secret: 'secret',
    sims,
    inFlight: 48,
    duplicates: 0.05,
    reordered: 0.05,
    retry_after: 200,
    seed: 11,
  })
  for (let kill = 0; kill < kills; kill++) {
    const running = load.run({ count: 600 })
    const before = load.answered()
    await expect.poll(load.answered, { interval: 1, timeout: 20_000 }).toBeGreaterThan(before)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    ;({ child } = await forkMeter(house.databaseUrl, acct))
    expect((await running).given_up).toBe(0)
  }
  load.close()
  const rows = await house.db.selectFrom('data_session').select(['acct_session_id', 'bytes_up', 'bytes_down']).execute()
  const counted = new Map(rows.map((row) => [row.acct_session_id, [row.bytes_up, row.bytes_down]]))
  for (const session of load.sessions)
    expect(counted.get(session.session_id)).toEqual([session.acknowledged_input, session.acknowledged_output])
  // It may say that packets wait, too.
  const metrics = new Promise<string>((resolve) =>
    child.on('message', (message: { metrics?: string }) => message.metrics && resolve(message.metrics))
  )
  child.send({ ask: 'metrics' })
  expect(await metrics).toMatch(/^masthead_meter_readings_committed_total\{meter="\d+"\} [1-9]/m)
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
})

test('a meter whose parent is gone counts what it has received, answers it and ends', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const { child, acct } = await forkMeter(house.databaseUrl, 0)
  const load = await openLoad({
    target: { host: '127.0.0.1', acct_port: acct },
    secret: 'secret',
    sims: [await house.newSim()],
    inFlight: 1,
  })
  const gone = once(child, 'exit')
  let running!: ReturnType<typeof load.run>
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table data_session in share mode`.execute(tx)
    running = load.run({ count: 1 })
    const waiting = sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where application_name = ${meterName} and datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(house.db)).rows[0]!.n).toBe(1)
    child.disconnect()
    // It has begun to end: it learns of no gateways any more.
    const listening = sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where application_name = 'masthead meter gateways' and datname = current_database()`
    await expect.poll(async () => (await listening.execute(house.db)).rows[0]!.n).toBe(0)
    expect(child.exitCode).toBeNull()
  })
  expect(await running).toMatchObject({ answered: 1, given_up: 0 })
  expect(await gone).toEqual([0, null])
  load.close()
  expect(await house.db.selectFrom('data_session').select('acct_session_id').execute()).toHaveLength(1)
})
