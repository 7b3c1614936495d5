import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { keptMemory } from '../kernel/test-kept-memory.ts'
import { findSessions } from './sessions/find-sessions.ts'
import { faultOf, MeterConnection } from './meter-connection.ts'
import { seeDevices } from '../assets/service/index.ts'
import { goLive } from './meter-sims.ts'
import { fragment, named } from './parts/fragment.ts'
import { openMeteredHouse } from './test-network.ts'

test('a plan that was made when there were no sessions is not kept once there are many', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const [kept, made] = [
    new MeterConnection(house.databaseUrl, { replanEvery: 3_600_000 }),
    new MeterConnection(house.databaseUrl, { replanEvery: 0 }),
  ]
  const planOf = async (db: MeterConnection) => {
    await db.open()
    await db.run(findSessions, ['{}', '{}'])
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain execute find_sessions('{}', '{}')`.execute(await db.begin())
    await db.commit()
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const byKey = /Index Scan using data_session_key on data_session.*\n\s+Index Cond: .*acct_session_id = k.acct_session_id.*nas = k.nas/
  await sql`vacuum analyze data_session`.execute(house.db) // now it knows that there are none
  for (const db of [kept, made]) expect(await planOf(db)).not.toMatch(byKey)
  await sql`insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, started_at, updated_at, heard_at)
    select ${house.owner.account_id}, 'ses_' || n, 'sim', 'asset', ${house.gateway_id}, 'nas', n, now(), now(), now()
    from generate_series(1, 2000) n`.execute(house.db)
  expect(await planOf(kept)).not.toMatch(byKey)
  expect(await planOf(made)).toMatch(byKey)
  for (const db of [kept, made]) await db.close()
})

test('a connection that is lost between two statements is no fault of a packet', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const db = new MeterConnection(house.databaseUrl)
  await db.open()
  const tx = await db.begin()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(house.db)
  const refused = () => sql`select 1`.execute(tx).then(() => null, faultOf)
  await expect.poll(refused).toBe('away')
  expect(await refused()).toBe('away')
  await db.open()
  expect(await refused()).toBe(null)
  await db.close()
})

test('what writes takes a transaction that was begun on the connection, and is undone with it', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const db = new MeterConnection(house.databaseUrl)
  const sim = await house.newSim()
  const live = { account_id: house.owner.account_id, sim_id: sim.id }
  const clearImei = { name: 'clear_imei', text: 'update sim set imei = null where id = $1' }
  const refused = async () => {
    // @ts-expect-error
    await goLive(db.tx, [live], house.clock.now())
    // @ts-expect-error
    await goLive(db, [live], house.clock.now())
    // @ts-expect-error
    await sql`delete from sim`.execute(db)
    // @ts-expect-error
    await db.deleteFrom('sim').execute()
    // @ts-expect-error
    await db.run({ name: 'delete_sims', text: 'delete from sim' })
    // @ts-expect-error
    await db.run({ name: 'delete_sims', text: `with gone as (delete from sim where id = ${sim.id} returning 1) select * from gone` })
    // @ts-expect-error
    await db.run(named('delete_sims', fragment`delete from sim`))
    // @ts-expect-error
    await db.write(house.db, clearImei, [sim.id])
  }
  expect(refused).toBeTypeOf('function')
  await db.open()
  const tx = await db.begin()
  expect(tx.isTransaction).toBe(true)
  const imeis = () => house.db.selectFrom('sim').select('imei').where('id', '=', sim.id).execute()
  await tx.updateTable('sim').set({ imei: '356938035643809' }).where('id', '=', sim.id).execute()
  await db.reset()
  expect(await imeis()).toEqual([{ imei: null }])
  await seeDevices(await db.begin(), [{ ...live, imei: '356938035643809' }], house.clock.now())
  expect(await imeis()).toEqual([{ imei: null }])
  await db.commit()
  expect(await imeis()).toEqual([{ imei: '356938035643809' }])
  await db.write(db.begin(), clearImei, [sim.id])
  await db.reset()
  expect(await imeis()).toEqual([{ imei: '356938035643809' }])
  await db.close()
})

test('what statements carried is forgotten once they are answered', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const kept = (how: string) =>
    keptMemory(
      {
        before: `
          import pg from 'pg'
          import { MeterConnection } from ${JSON.stringify(fileURLToPath(import.meta.resolve('./meter-connection.ts')))}
          const [, url, how] = process.argv
          const theirs = new pg.Client({ connectionString: url, query_timeout: 20_000, pipeline: true })
          const ours = new MeterConnection(url)
          await (how === 'ours' ? ours.open() : theirs.connect())
          const ask = (name, text, values) =>
            how === 'ours' ? ours.run({ name, text }, values) : new Promise((resolve) => theirs.query({ name, text, values }, resolve))
          const long = () => JSON.stringify(Array.from({ length: 100 }, Math.random))`,
        round: `for (let i = 0; i < 300; i++) await Promise.all([ask('a', 'select $1::text', [long()]), ask('b', 'select 1', [])])`,
        after: `await (how === 'ours' ? ours.close() : theirs.end())`,
      },
      house.databaseUrl,
      how
    )
  const [theirs, ours] = [await kept('theirs'), await kept('ours')]
  // In MB. Should theirs be forgotten one day, too, `query_timeout` would do.
  expect(ours).toBeLessThan(theirs / 4)
})
