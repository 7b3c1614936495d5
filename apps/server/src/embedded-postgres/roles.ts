import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresHome } from './home.ts'

/** Of the cluster's superuser, whom the launcher alone is, and of the role that Masthead works as. */
export type Passwords = { postgres: string; masthead: string }

/** Whoever comes by the socket or the loopback brings a password, also another process of the same user. */
export const accessRules = [
  '# Written at every start.',
  'local all all scram-sha-256',
  'host all all 127.0.0.1/32 scram-sha-256',
  'host all all ::1/128 scram-sha-256',
  '',
].join('\n')

/** The file that psql and pg_dump know as `passfile`. It belongs to whom the data directory belongs to; PostgreSQL's own user need not read it. */
export const passwordFile = (home: PostgresHome): string => join(home.dir, 'database-passwords')

/** Reads the passwords, or makes them: then the cluster does not know them yet (`made`), and they are to be kept once it does. */
export function passwordsOf(home: PostgresHome): Passwords & { made: boolean } {
  const path = passwordFile(home)
  if (existsSync(path)) {
    const text = readFileSync(path, 'utf8')
    const of = (role: string) => new RegExp(`^\\*:\\*:\\*:${role}:([\\w-]+)$`, 'm').exec(text)?.[1]
    const [postgres, masthead] = [of('postgres'), of('masthead')]
    if (postgres && masthead) return { postgres, masthead, made: false }
  }
  const made = () => randomBytes(32).toString('base64url')
  return { postgres: made(), masthead: made(), made: true }
}

/** Only what the cluster knows is kept, so that a start that ends in the middle leaves no passwords that it would refuse. */
export function keepPasswords(home: PostgresHome, { postgres, masthead }: Passwords) {
  const path = passwordFile(home)
  const lines = Object.entries({ postgres, masthead }).map(([role, password]) => `*:*:*:${role}:${password}\n`)
  writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 })
  chmodSync(`${path}.new`, 0o600)
  const { uid, gid } = statSync(home.dir)
  if (process.getuid?.() === 0) chownSync(`${path}.new`, uid, gid)
  renameSync(`${path}.new`, path)
}

/** For `postgres --single`, one statement a line. One round of hashing is enough for 256 random bits, and a connection costs no time by it. */
export const ownPassword = ({ postgres }: Passwords): string =>
  `set scram_iterations = 1\nalter role postgres with password '${postgres}'\n`

/** Whether the product's role gets into its database: then nothing is left to do here. */
export async function isPrepared(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined || (!code.startsWith('28') && code !== '3D000')) throw error
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** All that needs the superuser: the role, its database, and who owns what an earlier release made as the superuser. The login comes last, so a kill in the middle leaves all to be done again. */
export async function prepareRole(at: (database: string) => string, { masthead }: Passwords, { forTests }: { forTests: boolean }) {
  await onClient(at('postgres'), async (client) => {
    const isThere = async (question: string) => ((await client.query(question)).rowCount ?? 0) > 0
    if (!(await isThere("select from pg_roles where rolname = 'masthead'"))) await client.query('create role masthead nologin')
    if (!(await isThere("select from pg_database where datname = 'masthead'"))) await client.query('create database masthead')
  })
  await onClient(at('masthead'), async (client) => {
    await client.query(`begin; ${handOver}; alter database masthead owner to masthead; commit`)
    // It says who holds it up, whoever that is.
    await client.query('grant pg_monitor to masthead')
    if (forTests)
      await client.query(
        'alter role masthead createdb; grant set on parameter session_replication_role to masthead; grant pg_checkpoint to masthead'
      )
    await client.query(`set scram_iterations = 1; alter role masthead with login password '${masthead}'`)
  })
}

async function onClient(url: string, work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

// Not `reassign owned`: it refuses what belongs to the superuser that made the cluster. What is an extension's stays the superuser's.
const handOver = `do $$
declare statement text;
begin
  for statement in
    with own as (select oid, nspname, nspowner from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
    ours as (select 'postgres'::regrole::oid as role),
    extended as (select classid, objid from pg_depend where deptype = 'e')
    select format('alter schema %I owner to masthead', nspname) from own, ours where nspowner = role
    union all
    select format('alter table %s owner to masthead', c.oid::regclass) from pg_class c join own on own.oid = relnamespace, ours
      where relowner = role and relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from extended where classid = 'pg_class'::regclass and objid = c.oid)
        and not (relkind = 'S' and exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
    union all
    select format('alter routine %s owner to masthead', p.oid::regprocedure) from pg_proc p join own on own.oid = pronamespace, ours
      where proowner = role and not exists (select from extended where classid = 'pg_proc'::regclass and objid = p.oid)
    union all
    select format('alter type %s owner to masthead', t.oid::regtype) from pg_type t join own on own.oid = typnamespace, ours
      where typowner = role and (typtype in ('e', 'd', 'r') or typtype = 'c' and exists (select from pg_class where oid = typrelid and relkind = 'c'))
        and not exists (select from extended where classid = 'pg_type'::regclass and objid = t.oid)
    union all
    select format('alter statistics %I.%I owner to masthead', nspname, stxname) from pg_statistic_ext s join own on own.oid = stxnamespace, ours
      where stxowner = role
  loop execute statement; end loop;
end $$`
