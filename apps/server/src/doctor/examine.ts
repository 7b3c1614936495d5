import { existsSync } from 'node:fs'
import { ConfigError, loadConfig, type Config } from '../kernel/config.ts'
import { wordsOfAway } from '../kernel/database/database-away.ts'
import { wordsOfRefusedWrites } from '../kernel/database/refused-writes.ts'
import { openPool } from '../kernel/database/pool.ts'
import { databaseChecks, operatingChecks, type Asked } from './database-checks.ts'
import { bad, runChecks, ok, type Finding } from './finding.ts'
import { machineChecks, type PortChoice } from './machine-checks.ts'
import { partChecks } from './part-checks.ts'

/** What the doctor needs of the program: how the database is opened (without bringing it up to date), and how ports are chosen. */
export type DoctorNeeds = PortChoice & { openDatabase: (config: Config) => Promise<{ url: string; stop: () => Promise<void> }> }
type Surroundings = DoctorNeeds & { env?: NodeJS.ProcessEnv; clock?: () => number }

/** Looks at an installation and changes nothing, whether it runs or not: also one that does not start. */
export async function examine({ env, clock = Date.now, openDatabase, ...ports }: Surroundings): Promise<Finding[]> {
  let config: Config
  try {
    config = loadConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
      .split('\n')
      .map((words) => ({ about: 'configuration', ...bad(words, 'Mend it in the environment; docs/operations.md lists all') }))
  }
  const machine = await runChecks(machineChecks, { config, now: clock(), ...ports })
  return [...machine, ...(await examineDatabase(config, clock, openDatabase))]
}

async function examineDatabase(config: Config, clock: () => number, openDatabase: DoctorNeeds['openDatabase']): Promise<Finding[]> {
  if (!config.databaseUrl && !existsSync(config.dataDir))
    return [{ about: 'database', ...ok('None is there yet: the first start makes it') }]
  const away = (error: Error): Finding[] => [
    {
      about: 'database',
      ...bad(
        wordsOfRefusedWrites(error, config) ?? wordsOfAway(error, config) ?? error.message,
        'Nothing else can be looked at until then'
      ),
    },
  ]
  const opened = await openDatabase(config).catch((error: Error) => error)
  if (opened instanceof Error) return away(opened)
  const pool = openPool(opened.url, { max: 2, name: 'masthead doctor' })
  try {
    await pool.query('select')
    const asked: Asked = { pool, config, clock, isOwn: !config.databaseUrl }
    const found = await runChecks(databaseChecks, asked)
    const isCurrent = found.some(({ about, state }) => about === 'migrations' && state === 'ok')
    return isCurrent ? [...found, ...(await runChecks([...operatingChecks, ...partChecks], asked))] : found
  } catch (error) {
    return away(error as Error)
  } finally {
    await pool.end()
    await opened.stop()
  }
}
