import { sql } from 'kysely'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { runCommand } from './command.ts'

let house: House
let owner: Person
let dir: string
beforeAll(async () => {
  house = await openHouse()
  owner = await house.newOwner()
  dir = await mkdtemp(join(tmpdir(), 'masthead-commands-'))
  await writeFile(join(dir, 'stock.csv'), 'type,serial\nplastic_sim,TROUBLE-1\n')
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await rm(dir, { recursive: true, force: true })
})

async function masthead(words: string[], database: string) {
  const said: string[] = []
  const env = { DATABASE_URL: database, MASTHEAD_SECRET_KEY: testSecretKey }
  const code = await runCommand(words, { env, say: (text) => said.push(text), complain: (text) => said.push(text) })
  return [code, said]
}

/** What each command that writes is given. */
const writing = (): string[][] => [
  ['staff', 'grant', owner.email],
  ['staff', 'revoke', owner.email, '--leave-nobody'],
  ['person', 'sign-out', owner.email],
  ['inventory', 'load', join(dir, 'stock.csv')],
  ['gateway', 'add', 'pgw', '198.18.0.1'],
]
/** And those that read. */
const reading = () => [
  ['person', 'reset-second-factor', owner.email],
  ['staff', 'list'],
  ['gateway', 'list'],
  ['migrate'],
  ['roll-ups', 'verify', '2026-11-01', '2026-11-02'],
  ['activities', 'verify'],
]

const full = 'There is no room on the disk of the database at DATABASE_URL. What was there is kept. Make room there, then try again.'
const readOnly = 'The database at DATABASE_URL is read-only: a standby, or default_transaction_read_only is on. Name one that takes writes.'

test('a full disk is one sentence for every command that writes, and exit code 1', async () => {
  const tables = ['person', 'session', 'inventory', 'gateway']
  await sql`create function no_room() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/16384/16399": No space left on device' using errcode = '53100'; end $$`.execute(house.db)
  for (const name of tables)
    await sql`create trigger no_room before insert or update or delete on ${sql.table(name)} for each statement execute function no_room()`.execute(
      house.db
    )
  try {
    for (const words of writing()) expect([words[1], ...(await masthead(words, house.databaseUrl))]).toEqual([words[1], 1, [full]])
  } finally {
    for (const name of tables) await sql`drop trigger no_room on ${sql.table(name)}`.execute(house.db)
  }
})

test('a read-only database, likewise', async () => {
  const name = new URL(house.databaseUrl).pathname.slice(1)
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(house.db)
  try {
    for (const words of writing()) expect([words[1], ...(await masthead(words, house.databaseUrl))]).toEqual([words[1], 1, [readOnly]])
  } finally {
    await sql`alter database ${sql.id(name)} reset default_transaction_read_only`.execute(house.db)
  }
})

test('a database that is away, or has no such name, is one sentence for every command', async () => {
  const elsewhere = new URL(house.databaseUrl)
  elsewhere.pathname = '/no_such'
  const away =
    'The database at DATABASE_URL cannot be reached (connect ECONNREFUSED 127.0.0.1:1). See that it runs and lets us in, then try again.'
  const nameless =
    'The database at DATABASE_URL cannot be reached (database "no_such" does not exist). See that it runs and lets us in, then try again.'
  for (const words of [...writing(), ...reading()]) {
    expect([words[1], ...(await masthead(words, 'postgres://127.0.0.1:1/none'))]).toEqual([words[1], 1, [away]])
    expect([words[1], ...(await masthead(words, elsewhere.href))]).toEqual([words[1], 1, [nameless]])
  }
})

test('one that goes away while a command works, too', async () => {
  await sql`create function vanish() returns trigger language plpgsql as $$ begin
    perform pg_terminate_backend(pg_backend_pid()); return null; end $$`.execute(house.db)
  await sql`create trigger vanish before update on person for each statement execute function vanish()`.execute(house.db)
  const [code, said] = await masthead(['staff', 'grant', owner.email], house.databaseUrl)
  expect(code).toBe(1)
  expect(said).toEqual([expect.stringMatching(/^The database at DATABASE_URL cannot be reached \(.+\)\. See that it runs/)])
})

test('an empty secret, as of a variable that is not set, is refused and makes no gateway', async () => {
  const given = [
    ['gateway', 'add', 'empty', '198.18.0.9', '--secret', ''],
    ['gateway', 'add', 'empty', '198.18.0.9', '--secret='],
    ['gateway', 'secret', 'empty', '--secret='],
  ]
  for (const words of given) {
    const [code, said] = await masthead(words, house.databaseUrl)
    expect([code, said]).toEqual([2, [expect.stringMatching(/^The secret is empty: leave --secret out/)]])
  }
  expect(await house.db.selectFrom('gateway').select('id').where('name', '=', 'empty').execute()).toEqual([])
})

test('a secret that the API would refuse is refused here, too', async () => {
  const [short, long] = ['x'.repeat(15), 'x'.repeat(129)]
  for (const [secret, why] of [
    [short, 'Use at least 16 characters'],
    [long, 'Use at most 128 characters'],
  ])
    for (const words of [
      ['gateway', 'add', 'guessed', '198.18.0.8'],
      ['gateway', 'add-address', 'guessed', '198.18.0.8'],
      ['gateway', 'secret', 'guessed'],
    ]) {
      const [code, said] = await masthead([...words, '--secret', secret!], house.databaseUrl)
      expect([code, said]).toEqual([2, [expect.stringMatching(`^The secret is refused: ${why}, or leave --secret out`)]])
    }
  expect(await house.db.selectFrom('gateway').select('id').where('name', '=', 'guessed').execute()).toEqual([])
})
