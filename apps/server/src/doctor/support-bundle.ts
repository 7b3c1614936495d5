import { readFileSync } from 'node:fs'
import { arch, platform, release, totalmem, cpus } from 'node:os'
import { ConfigError, loadConfig } from '../kernel/config.ts'
import { readMigrations } from '../kernel/database/migrations/migration-file.ts'
import { examine, type DoctorNeeds } from './examine.ts'
import { askFigures } from './own-figures.ts'

/** Settings whose value says nothing that is secret or personal. All others are only said to be set. */
const plain =
  /^(MASTHEAD_(HOST|HTTP_PORT|RADIUS_(AUTH|ACCT)_PORT|MQTTS?_PORT|METRICS_(HOST|PORT)|ROLES|METER_PROCESSES|DEMO|DEMO_NETWORK|DEMO_SPEED|REGISTRATION|TRUST_PROXY|LOG_LEVEL|RECORD_RETENTION_DAYS|DATA_SESSION_RETENTION_DAYS|FASTEST_LINK|SESSION_DAYS|SESSION_IDLE_HOURS|STAFF_SECOND_FACTOR|WEBHOOK_PRIVATE)|OIDC_(CLIENT_AUTH|REGISTRATION)|NODE_ENV|TZ)$/
const ours = /^(MASTHEAD_|OIDC_|STRIPE_|TAG_MANAGER_|MAP_TILES_|SCANNER_|DATABASE_|SMTP_)/

/** Fields of a line of the log that say what happened and not to whom. */
const logFields = ['level', 'time', 'msg', 'operation', 'status', 'ms', 'security', 'code', 'task', 'lost', 'name'] as const

/** Addresses, e-mails, long numbers (of SIMs) and what looks like a secret, in words that somebody else wrote. */
export const withoutPeople = (text: string): string =>
  text
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[address]')
    .replaceAll(/[^\s"'<>]+@[^\s"'<>]+/g, '[e-mail]')
    .replaceAll(/\b\d{1,3}(\.\d{1,3}){3}\b/g, '[address]')
    .replaceAll(/\b(?=[0-9a-f]*:)[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}\b/gi, '[address]')
    .replaceAll(/\b\d{8,}\b/g, '[number]')
    .replaceAll(/(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])[\w+/=-]{24,}/gi, '[secret]')

type Surroundings = DoctorNeeds & { env: NodeJS.ProcessEnv; logFile?: string | undefined }

const linesKept = 500

/** What whoever helps has to know of an installation, as JSON without secrets and without people. `logFile`: where standard error was written to. */
export async function supportBundle({ env, logFile, ...needs }: Surroundings): Promise<string> {
  const found = await examine({ env, ...needs })
  return JSON.stringify(
    {
      made_at: new Date().toISOString(),
      versions: { node: process.version, migration: readMigrations().at(-1)!.name },
      machine: { platform: platform(), release: release(), arch: arch(), processors: cpus().length, memory_bytes: totalmem() },
      settings: settingsOf(env),
      doctor: found.map((each) => ({ ...each, words: withoutPeople(each.words), ...(each.way && { way: withoutPeople(each.way) }) })),
      metrics: await metricsOf(env),
      log: logFile === undefined ? [] : lastLines(readFileSync(logFile, 'utf8')),
    },
    null,
    2
  )
}

const settingsOf = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    Object.entries(env)
      .filter(([name, value]) => value && (plain.test(name) || ours.test(name)))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, plain.test(name) ? withoutPeople(value!) : '(set)'])
  )

async function metricsOf(env: NodeJS.ProcessEnv): Promise<string[]> {
  try {
    const found = await askFigures(loadConfig(env))
    if ('why' in found) return [withoutPeople(found.why)]
    // They name nobody (outside-routes.test.ts).
    return found.text.split('\n').filter((line) => /^(masthead_|process_|nodejs_)/.test(line))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return ['The settings are wrong']
  }
}

function lastLines(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(-linesKept)
    .map((line) => {
      try {
        const said = JSON.parse(line) as Record<string, unknown>
        const kept = Object.fromEntries(logFields.flatMap((name) => (name in said ? [[name, said[name]] as const] : [])))
        const failed = said.err as { type?: string; message?: string } | undefined
        return clean({ ...kept, ...(failed && { failed: `${failed.type}: ${failed.message}` }) })
      } catch {
        return withoutPeople(line)
      }
    })
}

const clean = (line: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [name, typeof value === 'string' ? withoutPeople(value) : value]))
