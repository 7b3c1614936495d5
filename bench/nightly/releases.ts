// An older release and this one on one database: the older one has made it and goes on while this one migrates it and works beside it; then the meters
// change, and back again. Every question that the older one answered it still answers, and this one as well; what one does is there for the
// other; every packet counts once. At last the database serves the older one no more, which it says. BENCH_RELEASE names the older one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type RunningProduct, startProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { root, run } from '../../tools/run.ts'
import { lostSessions } from '../metering/lost-sessions.ts'
import { startLoad } from '../metering/running-load.ts'
import { checkOutOlder } from '../releases/check-out-older.ts'
import { signIn } from '../releases/people.ts'
import { addressesAt, askAll, whatIsLess } from '../releases/questions.ts'
import { workAcross } from '../releases/work-across.ts'

const seed = Number(process.env.MASTHEAD_SEED ?? Date.now() % 1_000_000)
const all = 'api,worker,meter,broker'

const older = checkOutOlder(process.env.BENCH_RELEASE)
const database = await openProductionDatabase({ warn: () => {}, migrated: false })
const dataDir = mkdtempSync(join(tmpdir(), 'masthead-releases-'))
const env: Record<string, string> = {
  DATABASE_URL: database.url,
  MASTHEAD_DATA_DIR: dataDir,
  MASTHEAD_CONSOLE_DIR: join(root, 'apps/console/dist'),
  MASTHEAD_DEMO_NETWORK: 'off',
  MASTHEAD_STAFF_SECOND_FACTOR: 'off',
  MASTHEAD_LOG_LEVEL: 'error',
  MASTHEAD_RADIUS_SECRET: 'bench',
  MASTHEAD_SECRET_KEY: testSecretKey,
}
const running = new Set<RunningProduct>()
async function start(which: 'older' | 'this', roles: string, more: Record<string, string> = {}) {
  const checkout = which === 'older' ? older.dir : root
  const product = await startProduct(
    { ...env, MASTHEAD_DEMO: which === 'older' ? 'on' : 'off', MASTHEAD_ROLES: roles, ...more },
    { checkout }
  )
  running.add(product)
  return product
}
async function stop(product: RunningProduct) {
  running.delete(product)
  await product.stop()
}
const wrong: string[] = []
const note = (when: string, words: readonly string[]) => wrong.push(...words.map((each) => `${when}: ${each}`))
async function command(...words: string[]) {
  const args = ['--disable-warning=ExperimentalWarning', 'apps/server/src/command.ts', ...words]
  const { ok, output } = await run({ name: words.join(' '), command: process.execPath, args, env })
  if (!ok) note(words.join(' '), [output.trim()])
}
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

try {
  let old = await start('older', all)
  const ports = { MASTHEAD_RADIUS_AUTH_PORT: String(old.authPort), MASTHEAD_RADIUS_ACCT_PORT: String(old.acctPort) }
  const [owner, staff] = [await signIn(old.url, 'owner@demo.test'), await signIn(old.url, 'staff@demo.test')]
  const addresses = await addressesAt(old.url, owner, staff)
  const before = await askAll(old.url, owner, staff, addresses)
  const ask = async (product: RunningProduct, when: string) =>
    note(when, whatIsLess(before, await askAll(product.url, owner, staff, addresses)))
  const across = async (one: RunningProduct, other: RunningProduct, when: string) => {
    note(`${when}, from the older one`, await workAcross(owner, one.url, other.url))
    note(`${when}, from this one`, await workAcross(owner, other.url, one.url))
  }
  const unlike = await lostSessions(database.pool, [])
  const { rows: sims } = await database.pool.query<{ imsi: string }>(
    `select imsi from sim_imsi join sim on sim.account_id = sim_imsi.account_id and sim.id = sim_imsi.sim_id where sim.state = 'active'`
  )
  const load = await startLoad({ acctPort: old.acctPort, sims, seed, retry_after: 200, give_up_after: 120_000 })

  await command('migrate')
  let now = await start('this', 'api')
  await ask(old, 'The older one after the migration')
  await ask(now, 'This one beside it')
  await across(old, now, 'With worker and meter of the older one')

  await stop(old)
  await stop(now)
  now = await start('this', all, ports)
  old = await start('older', 'api')
  await across(old, now, 'With worker and meter of this one')

  await stop(now)
  await stop(old)
  old = await start('older', all, ports)
  await ask(old, 'The older one again')
  now = await start('this', 'api,worker')
  await across(old, now, 'With the meter of the older one again')
  await pause(1000)

  const { answered, given_up } = await load.stop()
  const lost = (await lostSessions(database.pool, load.sessions)) - unlike
  if (lost > 0 || given_up > 0 || answered === 0) note('Packets', [`${answered} answered, ${given_up} given up, ${lost} sessions wrong`])
  await command('roll-ups', 'verify', dayAfter(-1), dayAfter(1))
  await command('activities', 'verify')
  await command('ledger', 'prove')

  await database.pool.query(`insert into migration (name, serves_from) values ('9999-next.sql', '9999')`)
  const told = await fetch(`${old.url}/readyz`)
  const words = await told.text()
  if (told.status !== 503 || !words.includes('too old')) note('Left behind', [`/readyz is ${told.status}: ${words}`])
  await stop(old)
  const refused = await start('older', 'api').then(
    () => 'it starts',
    (error: Error) => (error.message.includes('This Masthead is too old for its database') ? null : error.message)
  )
  if (refused !== null) note('Left behind', [refused])

  const ok = wrong.length === 0
  console.log(JSON.stringify({ figure: 'releases', older: older.commit, seed, questions: before.size, answered, wrong, ok }))
  process.exitCode = ok ? 0 : 1
} finally {
  for (const product of running) await product.stop()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
  older.remove()
}
