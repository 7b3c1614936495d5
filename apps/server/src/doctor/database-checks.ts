import type pg from 'pg'
import type { Config } from '../kernel/config.ts'
import { readMigrations } from '../kernel/database/migrations/migration-file.ts'
import { troubleOf } from '../kernel/database/database-trouble.ts'
import { readSchema, whyTooOld } from '../kernel/database/migrations/schema-served.ts'
import { SecretKeys } from '../kernel/secrets/secret-keys.ts'
import { bad, ok, warn, type Check } from './finding.ts'
import { checkSchema } from './schema-check.ts'

/** `clock`: ms since 1970. `isOwn`: the embedded one, or DATABASE_URL. */
export type Asked = { pool: pg.Pool; config: Config; clock: () => number; isOwn: boolean }

const minute = 60_000 // ms

async function one<Row extends object>(pool: pg.Pool, query: string): Promise<Row> {
  return (await pool.query<Row>(query)).rows[0]!
}

const since = (ms: number) => (ms < 120 * minute ? `${Math.round(ms / minute)} minutes` : `${Math.round(ms / (60 * minute))} hours`)

export const databaseChecks: Check<Asked>[] = [
  { about: 'database', look: checkServer },
  { about: 'writing', look: checkWriting },
  { about: 'migrations', look: checkMigrations },
  { about: 'clock', look: checkClock },
  { about: 'secrets', look: checkSecrets },
]

/** What is checked once the database is at this release’s migrations. */
export const operatingChecks: Check<Asked>[] = [
  { about: 'schema', look: checkSchema },
  { about: 'jobs', look: checkJobs },
  { about: 'mail', look: checkMail },
  { about: 'gateways', look: checkGateways },
  { about: 'joins', look: checkJoins },
  { about: 'quarantine', look: checkQuarantine },
  { about: 'staff', look: checkStaff },
]

async function checkServer({ pool, isOwn }: Asked) {
  type Row = { version: string; number: number; encoding: string; super: boolean; used: number; most: number }
  const row = await one<Row>(
    pool,
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      pg_encoding_to_char(encoding) as encoding, rolsuper as super, (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int as most
    from pg_database, pg_roles where datname = current_database() and rolname = current_user`
  )
  const words = `PostgreSQL ${row.version}, ${row.used} of ${row.most} connections`
  if (row.number < 150_000) return bad(words, 'Bring it to PostgreSQL 15 or later')
  if (row.encoding !== 'UTF8')
    return bad(
      `${words}, encoded in ${row.encoding}`,
      'Make a database with the encoding UTF8 (createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0) and restore into it'
    )
  const findings = []
  if (row.super)
    findings.push(
      warn(
        'Masthead is its superuser',
        isOwn
          ? 'It becomes a role of its own at the next start'
          : 'Give it a role of its own in DATABASE_URL, which owns its database and is no superuser'
      )
    )
  if (row.used > row.most * 0.9) findings.push(warn(words, 'Raise max_connections: more are refused'))
  return findings.length > 0 ? findings : ok(words)
}

async function checkWriting({ pool }: Asked) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('create temporary table doctor (n int) on commit drop')
    await client.query('insert into doctor select generate_series(1, 10000)')
    await client.query('commit')
    return ok('It takes writes')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    return bad(troubleOf(error)?.words ?? (error as Error).message, 'Make room on its disk, or see why it is read-only')
  } finally {
    client.release()
  }
}

async function checkMigrations({ pool }: Asked) {
  const schema = await readSchema(pool)
  const brought = readMigrations()
  const late = whyTooOld(schema, brought.at(-1)!.number)
  if (late) return bad(late, 'Start the release that brought it there')
  const missing = brought.filter(({ name }) => !schema.done.has(name))
  if (missing.length === 0) return ok(`At ${brought.at(-1)!.name}`)
  const words = schema.done.size === 0 ? 'The database is empty' : `${missing.length} are to be made, from ${missing[0]!.name} on`
  return warn(words, 'The next start makes them, or npm run masthead -- migrate')
}

async function checkClock({ pool, clock }: Asked) {
  const before = clock()
  const { now } = await one<{ now: Date }>(pool, 'select clock_timestamp() as now')
  const [after, there] = [clock(), now.getTime()]
  // What the question took is nobody's drift.
  const drift = there < before ? before - there : there > after ? there - after : 0
  const words = `The clocks of this machine and of the database differ by ${(drift / 1000).toFixed(1)} s`
  const way = 'Let both machines follow a time server (chrony, systemd-timesyncd)'
  if (drift > 30_000) return bad(words, way)
  return drift > 2000
    ? warn(words, way)
    : ok(`${words}; this machine is in ${Intl.DateTimeFormat().resolvedOptions().timeZone}, all is kept in UTC`)
}

async function checkSecrets({ pool, config }: Asked) {
  const { there } = await one<{ there: boolean }>(pool, `select to_regclass('signing_key') is not null as there`)
  const query = `select secret from signing_key where name = 'secret_keys'`
  const [kept] = there ? (await pool.query<{ secret: Buffer }>(query)).rows : []
  if (!kept) return warn('No secret is kept yet', 'A key is made at the first start')
  try {
    new SecretKeys(config).decrypt('signing_key secret_keys', kept.secret.toString())
    return ok('The key here opens them')
  } catch (error) {
    return bad(
      (error as Error).message,
      'Bring MASTHEAD_SECRET_KEY, or the file secret-keys, from the machine that has it, or from its back-up'
    )
  }
}

const hasQueue = async (pool: pg.Pool) =>
  (await one<{ there: boolean }>(pool, `select to_regclass('graphile_worker._private_jobs') is not null as there`)).there

async function checkJobs({ pool }: Asked) {
  if (!(await hasQueue(pool))) return warn('No worker ever ran here', 'Start a machine with the role worker in MASTHEAD_ROLES')
  type Row = { given_up: number; failing: number; waiting: number; late: number | null; timed: number | null }
  const row = await one<Row>(
    pool,
    `select count(*) filter (where attempts >= max_attempts)::int as given_up,
      (select extract(epoch from now() - max(last_execution))::float * 1000 from graphile_worker._private_known_crontabs) as timed,
      count(*) filter (where attempts > 0 and attempts < max_attempts and last_error is not null)::int as failing,
      count(*) filter (where attempts < max_attempts)::int as waiting,
      extract(epoch from now() - min(run_at) filter (where attempts < max_attempts and locked_at is null and run_at < now()))::float * 1000 as late
    from graphile_worker._private_jobs`
  )
  const findings = []
  // A worker makes some each minute.
  if (row.timed !== null && row.timed > 3 * minute)
    findings.push(
      bad(`No worker has been there for ${since(row.timed)}`, 'Start a machine with the role worker in MASTHEAD_ROLES, and see its log')
    )
  if (row.late !== null && row.late > 5 * minute)
    findings.push(
      bad(`The first of ${row.waiting} jobs waits since ${since(row.late)}`, 'See that a machine with the role worker runs, and its log')
    )
  if (row.given_up > 0)
    findings.push(
      bad(
        `${row.given_up} jobs were given up after many tries`,
        'npm run masthead -- jobs list says why each failed; jobs retry tries them again, jobs forget removes them'
      )
    )
  if (row.failing > 0) findings.push(warn(`${row.failing} jobs failed and are tried again`, 'The log says why ("a job failed")'))
  return findings.length > 0 ? findings : ok(`${row.waiting} wait`)
}

async function checkMail({ pool, config }: Asked) {
  // What was written while there was no mail server has no job any more.
  const jobs = (await hasQueue(pool))
    ? `select payload ->> 'id' from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where identifier like 'mail.%'`
    : 'select null where false'
  type Row = { refused: number; waiting: number; left: number; late: number | null }
  const row = await one<Row>(
    pool,
    `select count(*) filter (where refused_at > now() - interval '7 days')::int as refused,
      count(*) filter (where unsent)::int as waiting,
      count(*) filter (where unsent and not has_job)::int as left,
      extract(epoch from now() - min(created_at) filter (where unsent and has_job))::float * 1000 as late
    from (select *, sent_at is null and refused_at is null as unsent, id in (${jobs}) as has_job from mail) of_mail`
  )
  if (!config.smtpUrl) return ok(`${row.waiting} in the database, as there is no mail server`)
  const waiting = row.waiting - row.left
  const findings = []
  if (row.late !== null && row.late > 10 * minute)
    findings.push(
      bad(`The first of ${waiting} mails waits since ${since(row.late)}`, 'See the mail server; they go out once it takes them')
    )
  if (row.left > 0)
    findings.push(
      warn(
        `${row.left} were written while there was no mail server, and are not sent`,
        'Whoever needs one has it sent anew: an invitation, a new password. They are removed after 30 days'
      )
    )
  if (row.refused > 0)
    findings.push(
      warn(
        `${row.refused} were refused for good in the last 7 days`,
        'select to_email, refused_words from mail where refused_at is not null'
      )
    )
  return findings.length > 0 ? findings : ok(`${waiting} wait`)
}

async function checkGateways({ pool, config }: Asked) {
  const { rows } = await pool.query<{ name: string; silent: number | null }>(
    `select name, extract(epoch from now() - max(a.heard_at))::float * 1000 as silent from gateway g left join gateway_address a on a.gateway_id = g.id
     where g.disabled_at is null and not g.of_feed and g.joined_into is null group by g.id, name order by name limit 200`
  )
  if (rows.length === 0) return warn('There are none', 'npm run masthead -- gateway add NAME ADDRESS')
  const findings = rows.flatMap(({ name, silent }) =>
    silent === null
      ? [warn(`${name} has never reported`, 'See its RADIUS settings, the way between, and the refused senders (Backoffice, Gateways)')]
      : silent > 60 * minute
        ? [warn(`${name} is silent since ${since(silent)}`, 'See whether it runs and reports to this address')]
        : []
  )
  if (!config.roles.includes('meter')) return ok(`${rows.length} report to other machines`)
  return findings.length > 0 ? findings : ok(`${rows.length} seen in the last hour`)
}

/** Gateways that were joined to another and are there still, because a job has not moved all their sessions. */
async function checkJoins({ pool }: Asked) {
  const { count } = await one<{ count: number }>(pool, 'select count(*)::int as count from gateway where joined_into is not null')
  if (count === 0) return ok('No gateway is being joined to another')
  const { rows } = await pool.query<{ id: string; name: string; late: number | null; given_up: boolean | null }>(
    `select g.id, g.name, j.late, j.given_up from gateway g left join (
        select payload ->> 'gateway_id' as gateway_id, extract(epoch from now() - created_at)::float * 1000 as late,
          attempts >= max_attempts and locked_at is null as given_up
        from graphile_worker._private_jobs
        where task_id = (select id from graphile_worker._private_tasks where identifier = 'move_ended_sessions')
      ) j on j.gateway_id = g.id where g.joined_into is not null order by g.name, g.id limit 200`
  )
  const findings = rows.flatMap(({ id, name, late, given_up }) => {
    const sessions = `Sessions of a gateway that was joined to ${name}`
    if (late === null)
      return [
        bad(
          `${sessions} are moved by no job`,
          `select graphile_worker.add_job('move_ended_sessions', json_build_object('gateway_id', '${id}'))`
        ),
      ]
    if (given_up) return [bad(`${sessions} were not moved`, 'npm run masthead -- jobs list says why; jobs retry tries it again')]
    return late > 60 * minute ? [warn(`${sessions} are being moved since ${since(late)}`, 'The log says why ("a job failed")')] : []
  })
  return findings.length > 0 ? findings : ok(`Sessions of ${count} are being moved`)
}

async function checkQuarantine({ pool }: Asked) {
  const { count, late } = await one<{ count: number; late: number | null }>(
    pool,
    `select count(*)::int as count, extract(epoch from now() - min(first_at))::float * 1000 as late from quarantine where state = 'open'`
  )
  if (count === 0) return ok('Nothing waits')
  return warn(`${count} sessions wait to be decided, the first since ${since(late ?? 0)}`, 'Backoffice, Quarantine')
}

async function checkStaff({ pool }: Asked) {
  const { count, people } = await one<{ count: number; people: number }>(
    pool,
    `select count(*) filter (where 'manage_staff' = any (permissions))::int as count, count(*)::int as people from person`
  )
  if (people === 0) return ok('Nobody has an account yet: who registers first becomes staff')
  return count === 0
    ? warn('Nobody manages staff', 'npm run masthead -- staff grant EMAIL')
    : ok(`${count} of ${people} people manage staff`)
}
