import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAssets } from '@masthead/contract/assets/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { read } from '../http/routes.ts'
import type { AppDb, Db, ReadDb, Tx } from '../app.ts'
import type { Database } from './database.ts'
import { inTransaction } from './open-database.ts'

const network = { mccmnc: '999-99', name: 'Nobody', country: 'NL' }

// What the types refuse is marked, and must not compile: tsc refuses a mark without an error. What they cannot see the database refuses, and it
// would refuse the rest as well.
const writes: Record<string, (db: ReadDb) => Promise<unknown>> = {
  // @ts-expect-error
  insert: (db) => db.insertInto('network').values(network).execute(),
  // @ts-expect-error
  update: (db) => db.updateTable('network').set({ name: 'x' }).execute(),
  // @ts-expect-error
  delete: (db) => db.deleteFrom('network').execute(),
  'raw delete': (db) => sql`delete from network`.execute(db),
  'delete beside a select': (db) => sql`with gone as (delete from network returning 1) select * from gone`.execute(db),
  'function that writes': (db) => sql`select prove_writable()`.execute(db),
  'next number of a sequence': (db) => sql`select nextval('graphile_worker.jobs_id_seq1')`.execute(db),
  'locked row': (db) => db.selectFrom('network').selectAll().forUpdate().execute(),
  'new table': (db) => sql`create table scratch (n int)`.execute(db),
  'write where all is of one moment': (db) => db.snapshot((tx) => sql`delete from network`.execute(tx)),
  // @ts-expect-error
  'delete where all is of one moment': (db) => db.snapshot((tx) => tx.deleteFrom('network').execute()),
}

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

describe('what reads is refused by the database in its words', () => {
  test.each(Object.entries(writes))('%s', async (_, write) => {
    await expect(write(house.app.db)).rejects.toThrow(/^cannot execute .* in a read-only transaction$/)
  })

  test('in a read handler', async () => {
    const typed = read(listAssets, async ({ db }) => {
      // @ts-expect-error
      await db.deleteFrom('network').execute()
      throw new Error('not reached')
    })
    const raw = read(listAssets, async ({ db }) => {
      await sql`delete from network`.execute(db)
      throw new Error('not reached')
    })
    const words = 'cannot execute DELETE in a read-only transaction'
    for (const { answer } of [typed, raw]) await expect(answer({ app: house.app } as never, {} as never)).rejects.toThrow(words)
  })
})

test('a session that is read-only listens, notifies and locks as any other', async () => {
  const { db } = house.app
  await sql`select pg_notify('nobody', 'x'), pg_advisory_xact_lock(1), set_config('work_mem', '4MB', true)`.execute(db)
})

test('a transaction writes, and is undone as a whole', async () => {
  const count = (db: Db) => db.selectFrom('network').select('mccmnc').where('mccmnc', '=', network.mccmnc).execute()
  const failed = house.app.db.transaction().execute(async (tx) => {
    await inTransaction(tx, (same) => same.insertInto('network').values(network).execute())
    expect(await count(tx)).toHaveLength(1)
    expect(await count(house.app.db)).toEqual([])
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await count(house.app.db)).toEqual([])
  await inTransaction(house.app.db, (tx) => tx.insertInto('network').values(network).execute())
  expect(await count(house.app.db)).toHaveLength(1)
})

test('nothing but a transaction of ours is one', () => {
  const writing = (_tx: Tx) => {}
  const refused = (db: AppDb, theirs: Transaction<Database>) => {
    // @ts-expect-error
    writing(db)
    // @ts-expect-error
    writing(theirs)
    // @ts-expect-error
    void db.insertInto('network')
    // @ts-expect-error
    void db.connection().execute((one) => one.insertInto('network').values(network).execute())
    // @ts-expect-error
    void db.schema
  }
  expect(refused).toBeTypeOf('function')
})
