import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { staffPermissions } from '@masthead/contract/kernel/permission'
import { Problem } from '@masthead/contract/kernel/problem'
import { proveActivities } from './activities/index.ts'
import { groupPerson, listStaff, loadInventory } from './backoffice/index.ts'
import { examine, inWords as findingsInWords, supportBundle } from './doctor/index.ts'
import { resetSecondFactor, signOutPeople } from './account/index.ts'
import { systemActor } from './kernel/app.ts'
import { environment, loadConfig, type Config } from './kernel/config.ts'
import { wordsOfAway } from './kernel/database/database-away.ts'
import { wordsOfRefusedWrites } from './kernel/database/refused-writes.ts'
import { noLimits } from './kernel/database/migrations/run-migration.ts'
import { readSchema, schemaInWords } from './kernel/database/migrations/schema-served.ts'
import { prepareSecretKeys } from './kernel/secrets/secret-keys.ts'
import { gatewayCommands, gatewayHelp } from './commands/gateway-commands.ts'
import { jobCommands, jobHelp } from './commands/job-commands.ts'
import { proofCommands, proofHelp } from './commands/proof-commands.ts'
import { rotateSecrets } from './reencrypt-secrets.ts'
import { setStaff } from './commands/command-staff.ts'
import { tunnelCommand } from './kernel/secrets/tunnel-command.ts'
import { chainEntry, groupName, Incomplete, staffPermission, table, UsageError } from './commands/command-words.ts'
import { doctorNeeds, openApp, type OpenApp } from './open-app.ts'

const help = `npm run masthead -- COMMAND

  staff grant EMAIL [PERMISSION…]   Make somebody staff, with all staff permissions or the ones named
                                    (${Object.keys(staffPermissions).join(', ')})
  staff revoke EMAIL                Revoke somebody's staff permissions
      [--leave-nobody]              with both: even if nobody manages staff then
  staff list                        Who is staff

  person reset-second-factor EMAIL  Somebody lost their authenticator app and their recovery codes: their password alone
                                    signs in again
  person sign-out EMAIL             End every session of somebody, and their staff access
  person sign-out --all             of everybody

  person groups EMAIL [GROUP…]      Put somebody into these groups and out of all others; without any: out of all

  inventory load FILE.csv           Load stock: type,serial,iccid,imsi,msisdn,eid,imei (several IMSIs separated by ;)
      [--account EMAIL]             register it to the account of this e-mail
      [--active]                    with --account: its SIMs are active at once

${gatewayHelp}

${jobHelp}

  doctor                            Look at this installation: settings, database, disk, ports, mail, meter, broker, gateways, jobs, certificates.
                                    Says what is wrong and the way out; ends with 1 when something is

  support-bundle                    What whoever helps has to know, as JSON without secrets and without people
      [--log FILE]                  with the end of the log that standard error was written to

  migrate                           Bring the database up to date before the new release starts; what runs goes on meanwhile
      [--alone]                     nothing else runs: each step may take as long as it takes

  database                          Where the embedded database is, for psql and pg_dump

  secrets rotate                    Encrypt the secrets in the database with a new key: one made in the data directory, or the
                                    first of MASTHEAD_SECRET_KEY

  tunnels command                   What to type into the browser's console to see tunnel management

${proofHelp}

  activities verify                 Prove that no activity was altered, removed, moved or added outside the product
      [--account EMAIL]             of the account of this e-mail; without, of every account
      [--head NUMBER:HASH]          with --account: its chain must still have this entry, noted earlier

It works on DATABASE_URL, or on the database in MASTHEAD_DATA_DIR, whether Masthead runs or not.`

const options = {
  all: { type: 'boolean' },
  alone: { type: 'boolean', default: false },
  account: { type: 'string' },
  active: { type: 'boolean', default: false },
  secret: { type: 'string' },
  legacy: { type: 'boolean', default: false },
  'leave-nobody': { type: 'boolean', default: false },
  'coa-port': { type: 'string', default: '3799' },
  head: { type: 'string' },
  log: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const
type Options = ReturnType<typeof readArguments>['values']
type Run = (app: OpenApp, given: { words: string[]; options: Options }) => Promise<string>
type Command = { words: [least: number, most: number]; takes?: (keyof Options)[] } & (
  | { run: Run }
  /** Works where the database cannot be used, too. */
  | { runAlone: (env: NodeJS.ProcessEnv | undefined, options: Options) => Promise<string> }
)

const commands: Record<string, Command> = {
  'staff grant': {
    words: [1, 1 + Object.keys(staffPermissions).length],
    takes: ['leave-nobody'],
    run: async (app, { words: [email = '', ...names], options }) => {
      const permissions = (names.length ? names : Object.keys(staffPermissions)).map(staffPermission)
      await setStaff(app, email, permissions, options['leave-nobody'])
      return `${email} is staff with ${permissions.join(', ')}.`
    },
  },
  'staff revoke': {
    words: [1, 1],
    takes: ['leave-nobody'],
    run: async (app, { words: [email = ''], options }) => {
      await setStaff(app, email, [], options['leave-nobody'])
      return `${email} is staff no more.`
    },
  },
  'staff list': {
    words: [0, 0],
    run: async ({ db }) =>
      table(
        ['E-MAIL', 'PERMISSIONS'],
        (await listStaff(db)).map((each) => [each.email, each.permissions.join(', ')])
      ),
  },
  'person reset-second-factor': {
    words: [1, 1],
    run: async ({ db, clock }, { words: [email = ''] }) => {
      const known = email.toLowerCase()
      const was = await db.transaction().execute((tx) => resetSecondFactor(tx, systemActor('', clock.now()), known))
      return was ? `${known} signs in by password alone now, and was notified by mail.` : `${known} had no second factor.`
    },
  },
  'person sign-out': {
    words: [0, 1],
    takes: ['all'],
    run: async ({ db, clock }, { words: [email], options: { all = false } }) => {
      if ((email === undefined) !== all) throw new UsageError('Say whom by their e-mail, or --all')
      const actor = systemActor('', clock.now())
      const ended = await db.transaction().execute((tx) => signOutPeople(tx, actor, email?.toLowerCase() ?? null))
      return `${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`
    },
  },
  'person groups': {
    words: [1, 51],
    run: async ({ db, clock }, { words: [email = '', ...names] }) => {
      const groups = names.map(groupName)
      const known = email.toLowerCase()
      const set = await db.transaction().execute((tx) => groupPerson(tx, systemActor('', clock.now()), known, groups))
      return set.length > 0 ? `${known} is in ${set.join(', ')}.` : `${known} is in no group.`
    },
  },
  'inventory load': {
    words: [1, 1],
    takes: ['account', 'active'],
    run: async (app, { words: [path = ''], options: { account, active } }) => {
      const place = resolve(app.config.calledFrom, path)
      if (!existsSync(place)) throw new Incomplete(`There is no file ${place}.`)
      const file = createReadStream(place)
      const report = await loadInventory(app, 'command', file, { account, active })
      const bad = report.errors.map(({ line, words }) => `line ${line}: ${words}`)
      if (report.failed > bad.length) bad.push(`and ${report.failed - bad.length} more`)
      const done = `${report.rows} rows: ${report.loaded} loaded, ${report.unchanged} there already, ${report.failed} refused.`
      if (report.failed > 0) throw new Incomplete([...bad, done].join('\n'))
      return done
    },
  },
  ...gatewayCommands,
  ...jobCommands,
  'secrets rotate': {
    words: [0, 0],
    run: async ({ db, config }) => {
      await prepareSecretKeys(db, config)
      const { id, changed } = await rotateSecrets(db, config)
      return `${changed} ${changed === 1 ? 'secret is' : 'secrets are'} encrypted with the key ${id} now.`
    },
  },
  'tunnels command': {
    words: [0, 0],
    run: async ({ db, config }) => {
      await prepareSecretKeys(db, config)
      return `masthead('${await tunnelCommand(db)}')`
    },
  },
  doctor: {
    words: [0, 0],
    runAlone: async (env) => {
      const found = await examine({ ...(env && { env }), ...doctorNeeds })
      if (found.some(({ state }) => state === 'bad')) throw new Incomplete(findingsInWords(found))
      return findingsInWords(found)
    },
  },
  'support-bundle': {
    words: [0, 0],
    takes: ['log'],
    runAlone: (env = environment(), { log }) => supportBundle({ env, ...doctorNeeds, logFile: log && resolve(env.INIT_CWD ?? '.', log) }),
  },
  migrate: {
    words: [0, 0],
    takes: ['alone'],
    // Opening the database has done it.
    run: async ({ pool }) => schemaInWords(await readSchema(pool)),
  },
  database: {
    words: [0, 0],
    run: async ({ database, config }) => {
      // No answer: `pg_dump "$(…)"` would take the sentence for an address.
      if (config.databaseUrl) throw new Incomplete('The database is the one that DATABASE_URL names.')
      if (!database) throw new Incomplete('Masthead does not run here: its database is there while it runs.')
      return database
    },
  },
  ...proofCommands,
  'activities verify': {
    words: [0, 0],
    takes: ['account', 'head'],
    run: async (app, { options: { account, head: entry } }) => {
      const head = chainEntry(entry)
      if (head && !account) throw new UsageError('--head is an entry of one account: name it with --account')
      const { whole, lines } = await proveActivities(app, { ...(account && { email: account.trim().toLowerCase() }), head })
      if (!whole) throw new Incomplete(lines.join('\n'))
      return lines.join('\n')
    },
  },
}

const readArguments = (args: string[]) => parseArgs({ args, options, allowPositionals: true })

/** Finds the command and checks what it was given. */
function understand(args: string[]) {
  const { positionals, values } = (() => {
    try {
      return readArguments(args)
    } catch (error) {
      throw new UsageError((error as Error).message)
    }
  })()
  const [area = '', verb = '', ...words] = positionals
  if (values.help || area === 'help' || area === '') return null
  const name = `${area} ${verb}`.trim()
  const command = commands[name]
  if (!command) throw new UsageError(`There is no command ${name}`)
  const [least, most] = command.words
  if (words.length < least) throw new UsageError(`${name} needs more words`)
  if (words.length > most) throw new UsageError(`${name} does not know what to do with ${words.slice(most).join(' ')}`)
  const given = args.flatMap((arg) => (arg.startsWith('--') ? [arg.slice(2).split('=')[0]!] : []))
  for (const option of given) {
    if (!(command.takes ?? []).some((known) => known === option)) throw new UsageError(`${name} does not take --${option}`)
  }
  return { command, given: { words, options: values } }
}

type Surroundings = { env?: NodeJS.ProcessEnv; say?: (words: string) => void; complain?: (words: string) => void }

/** `npm run masthead -- …`: what the operator of an installation does at its machine. Answers the exit code. */
export async function runCommand(args: string[], { env, say = console.log, complain = console.error }: Surroundings = {}): Promise<number> {
  let where: Config | undefined
  try {
    const understood = understand(args)
    if (!understood) {
      say(help)
      return 0
    }
    const { command, given } = understood
    if ('runAlone' in command) {
      say(await command.runAlone(env, given.options))
      return 0
    }
    const config = loadConfig(env)
    where = config
    const migration = { log: { info: complain, warn: complain }, ...(given.options.alone && { limits: noLimits }) }
    const app = await openApp(config, migration)
    try {
      say(await command.run(app, given))
    } finally {
      await app.close()
    }
    return 0
  } catch (error) {
    if (error instanceof UsageError) complain(`${error.message}. npm run masthead -- help lists the commands.`)
    else if (error instanceof Problem) complain(error.detail.endsWith('.') ? error.detail : `${error.detail}.`)
    else complain((where && (wordsOfRefusedWrites(error, where) ?? wordsOfAway(error, where))) ?? wordsOf(error))
    return error instanceof UsageError ? 2 : 1
  }
}

const wordsOf = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: Error }
  return cause ? `${message}: ${cause.message}` : message
}

if (import.meta.main) process.exitCode = await runCommand(process.argv.slice(2))
