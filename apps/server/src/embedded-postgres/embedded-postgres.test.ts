import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canReach, prepareHome, socketDirectory } from './home.ts'
import { discardEmbeddedPostgres, endLeftBehind } from './embedded-postgres.ts'
import { fast, query, quiet, useEmbeddedPostgres } from './test-embedded-postgres.ts'

const { root, running, start } = useEmbeddedPostgres()

test('keeps its data from one start to the next, and stops twice', async () => {
  const first = await start()
  await query(first.url, 'create table kept (n int); insert into kept values (7)')
  await Promise.all([first.stop(), first.stop()])
  expect((await query((await start()).url, 'select n from kept')).rows).toEqual([{ n: 7 }])
})

test('a new one has the files of its log that it keeps for use again', async () => {
  const { url } = await start({ dataDir: join(root, 'logged'), settings: { ...fast, min_wal_size: '160MB' } })
  const files = async () => (await query(url, `select count(*)::int from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'`)).rows[0]!.count
  const made = Number(await files())
  expect(made).toBeGreaterThanOrEqual(10)
  await query(url, 'create table big as select repeat(md5(n::text), 10) from generate_series(1, 200000) n')
  expect(await files()).toBe(made)
})

test('sorts by code point, so that an index made here means the same on any machine', async () => {
  const { url } = await start()
  const { rows } = await query(url, `select string_agg(x, '' order by x) as sorted from unnest(array['b', 'a', 'B', 'ä']) x`)
  expect(rows).toEqual([{ sorted: 'Babä' }])
})

test('refuses a directory where another start runs, in words with the remedy', async () => {
  await start()
  await expect(start()).rejects.toThrow(/already runs.*process \d+.*MASTHEAD_DATA_DIR/)
})

test('brings a server back that died, with what was committed', async () => {
  const back = Promise.withResolvers<void>()
  const database = await start({ onRestart: back.resolve, settings: {} })
  await query(database.url, 'create table survived (n int); insert into survived values (1)')
  const died = database.pid
  process.kill(died, 'SIGKILL')
  await back.promise
  expect(database.pid).not.toBe(died)
  expect((await query(database.url, 'select n from survived')).rows).toEqual([{ n: 1 }])
})

/** One that ended has no command line, even while nobody has asked how it did. */
const isRunning = (pid: number) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''

/** Also one that did not say yet that it is ready. */
const serversOn = (dataDir: string) =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isRunning(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`-D\0${dataDir}`))

const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

/** Kills a start outright and answers the process of its server, which still runs. */
async function killedStart(dataDir: string) {
  const launcher = new URL('./embedded-postgres.ts', import.meta.url).href
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(launcher)})
    const quiet = () => {}
    const database = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: { debug: quiet, info: quiet, warn: quiet } })
    console.log(database.pid)
    setInterval(() => {}, 60_000)`
  const killed = spawn(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(killed.stdout, 'data')) as [Buffer]
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const orphan = Number(String(said))
  expect(isRunning(orphan)).toBe(true)
  return orphan
}

test('takes over after a start that was killed, whose server still runs', async () => {
  const orphan = await killedStart(join(root, 'data'))
  const database = await start()
  expect((await query(database.url, 'select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(database.pid).not.toBe(orphan)
})

test('the server of a start that was killed can be ended by itself, and one that is in use is left alone', async () => {
  const dataDir = join(root, 'data')
  const orphan = await killedStart(dataDir)
  await endLeftBehind(dataDir)
  expect(isRunning(orphan)).toBe(false)
  const database = await start()
  await endLeftBehind(dataDir)
  expect((await query(database.url, 'select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('one that is frozen, workers and all, can be stopped, and what it had committed is there at the next start', async () => {
  const database = await start({ settings: {} })
  await query(database.url, 'create table frozen (n int); insert into frozen values (1)')
  const processes = childrenOf(database.pid)
  for (const pid of [database.pid, ...processes]) process.kill(pid, 'SIGSTOP')
  await database.stop()
  expect([database.pid, ...processes].filter(isRunning)).toEqual([])
  expect((await query((await start()).url, 'select n from frozen')).rows).toEqual([{ n: 1 }])
})

test('one that is asked to end while it starts, and was frozen on the way, is ended, and the next start finds it well', async () => {
  const dataDir = join(root, 'cut-short')
  const { url, stop } = await start({ dataDir })
  await query(url, 'create table kept (n int)')
  await stop()
  const asked = new AbortController()
  const debug = (line: string) => {
    if (asked.signal.aborted || !line.includes('starting PostgreSQL')) return
    const [server] = serversOn(dataDir)
    process.kill(server!, 'SIGSTOP')
    asked.abort(new Error('asked to end'))
  }
  await expect(start({ dataDir, log: { ...quiet, debug }, signal: asked.signal })).rejects.toThrow('asked to end')
  expect(serversOn(dataDir)).toEqual([])
  expect((await query((await start({ dataDir })).url, 'select from kept')).rowCount).toBe(0)
})

test('makes nothing of a half-made cluster', async () => {
  const dataDir = join(root, 'half')
  mkdirSync(join(dataDir, 'cluster.new-1234'), { recursive: true })
  writeFileSync(join(dataDir, 'cluster.new-1234/PG_VERSION'), '18\n')
  const database = await start({ dataDir })
  expect((await query(database.url, 'select 1 as one')).rowCount).toBe(1)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
})

test('refuses the data of another major version, in words', async () => {
  const dataDir = join(root, 'old')
  mkdirSync(join(dataDir, 'cluster'), { recursive: true })
  writeFileSync(join(dataDir, 'cluster/PG_VERSION'), '12\n')
  await expect(start({ dataDir })).rejects.toThrow(/is of PostgreSQL 12, and this Masthead brings 18/)
})

test('listens on loopback only where a port is asked for', async () => {
  const { url } = await start({ port: 'free' })
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect((await query(url, 'show listen_addresses')).rows).toEqual([{ listen_addresses: '127.0.0.1' }])
  await running.pop()!.stop()
  expect((await query((await start()).url, 'show listen_addresses')).rows).toEqual([{ listen_addresses: '' }])
})

test('has its socket elsewhere when the path is too long for one, still for nobody else', () => {
  const dir = join(root, 'x'.repeat(100))
  mkdirSync(dir)
  const socket = socketDirectory({ dir, user: undefined })
  expect(socket.startsWith(dir)).toBe(false)
  expect(statSync(socket).mode & 0o777).toBe(0o700)
  rmSync(socket, { recursive: true })
})

test('leaves nothing of a throw-away cluster, and discards what a killed run left', async () => {
  const dataDir = join(root, 'thrown')
  const database = await start({ dataDir, throwAway: true })
  await discardEmbeddedPostgres(dataDir)
  expect((await query(database.url, 'select 1 as one')).rowCount).toBe(1)
  await database.stop()
  expect(existsSync(dataDir)).toBe(false)
  mkdirSync(join(dataDir, 'cluster'), { recursive: true })
  writeFileSync(join(dataDir, 'masthead.pid'), '1 0 of another boot')
  await discardEmbeddedPostgres(dataDir)
  expect(existsSync(dataDir)).toBe(false)
})

test('knows by the mode bits which directories another user can walk to', () => {
  const somebody = { uid: 65534, gid: 65534 }
  const open = join(root, 'open')
  const closed = join(root, 'closed')
  mkdirSync(join(closed, 'inner'), { recursive: true })
  mkdirSync(open)
  chmodSync(closed, 0o700)
  expect(canReach(open, somebody)).toBe(true)
  expect(canReach(join(closed, 'inner'), somebody)).toBe(false)
  expect(canReach(join(closed, 'inner'), { uid: statSync(closed).uid, gid: 0 })).toBe(true)
})

test.runIf(process.getuid?.() === 0)('says where the data was when the directory it was moved to is gone', async () => {
  const dataDir = join(root, 'moved-away')
  mkdirSync(dataDir)
  symlinkSync(join(root, 'gone'), join(dataDir, 'moved'))
  await expect(start({ dataDir })).rejects.toThrow(/The database was in .*gone, which is gone/)
})

test.runIf(process.getuid?.() === 0)(
  'where root moved the data, each start says where, and the settings beside the way there are read',
  () => {
    const dataDir = join(root, 'of-root/postgres')
    mkdirSync(dataDir, { recursive: true })
    chmodSync(join(root, 'of-root'), 0o700)
    writeFileSync(join(dataDir, 'own.conf'), "shared_buffers = '200MB'\n")
    const said: string[] = []
    const homes = [1, 2].map(() => prepareHome(dataDir, (words) => said.push(words)).dir)
    try {
      expect(homes[1]).toBe(homes[0])
      expect(readFileSync(join(homes[0]!, 'own.conf'), 'utf8')).toBe("shared_buffers = '200MB'\n")
      expect(said).toEqual(
        homes.map((dir) => `The database lives in ${dir}: PostgreSQL does not run as root, and other users cannot enter ${dataDir}`)
      )
    } finally {
      rmSync(homes[0]!, { recursive: true })
    }
  }
)
