import { dayOf } from '@masthead/contract/kernel/time'
import { renewBefore, runsSince } from '../devices/index.ts'
import { SecretKeys } from '../kernel/secrets/secret-keys.ts'
import { ownStatusKey, readOwnStatusSecret, whyNoStatus } from '../metering/index.ts'
import { askBroker } from './ask-broker.ts'
import type { Asked } from './database-checks.ts'
import { bad, ok, warn, type Check } from './finding.ts'
import { isNearEnd } from './near-end.ts'
import { askReadiness, hostHere, readinessAddress } from './own-figures.ts'

/** Each part is asked at its own ports where it is one of the process here, and is looked for in the database where it is not. */
export const partChecks: Check<Asked>[] = [
  { about: 'meter', look: checkMeter },
  { about: 'broker', look: checkBroker },
]

type Part = 'meter' | 'broker'

const hasHere = async ({ config }: Asked, part: Part) => (await askReadiness(readinessAddress(config)))?.parts[part] !== undefined

/** What is connected to the database with this name, and from where. */
async function connectedFrom({ pool }: Asked, name: string): Promise<string[]> {
  const { rows } = await pool.query<{ from: string }>(
    `select distinct coalesce(host(client_addr), 'this machine') as from from pg_stat_activity
     where datname = current_database() and application_name like $1 and application_name not in ('masthead doctor', 'masthead command')`,
    [name]
  )
  return rows.map(({ from }) => from)
}

/** Of a part that the process here does not have. `places`: where it was seen. */
async function elsewhere(asked: Asked, part: Part, places: readonly string[]) {
  if (places.length > 0)
    return ok(`Another process has it, seen by the database from ${places.join(', ')}: doctor asks it with the settings of that process`)
  const nothing = `No ${part} has the database`
  if ((await connectedFrom(asked, 'masthead%')).length === 0) return warn(nothing, 'Masthead does not run')
  const way = `Start a machine with the role ${part} in MASTHEAD_ROLES, and see its log`
  return asked.config.roles.includes(part) ? bad(nothing, way) : warn(nothing, way)
}

async function checkMeter(asked: Asked) {
  const { pool, config } = asked
  if (!(await hasHere(asked, 'meter'))) return elsewhere(asked, 'meter', await connectedFrom(asked, 'masthead meter gateways'))
  const { rows } = await pool.query<{ secret: Buffer }>('select secret from signing_key where name = $1', [ownStatusKey])
  if (!rows[0])
    return warn('It has no secret with which it could be asked', 'Start it anew where it is of an older release; else its log says why')
  const secret = readOwnStatusSecret({ keys: new SecretKeys(config) }, rows[0].secret)
  const host = hostHere(config.host)
  const ports = [config.ports.radiusAuth, config.ports.radiusAcct]
  const whys = await Promise.all(ports.map((port) => whyNoStatus({ host, port, secret })))
  const silent = whys.flatMap((why, at) =>
    why === null ? [] : [bad(`At ${host}:${ports[at]} (UDP): ${why}`, 'See its log, and MASTHEAD_HOST')]
  )
  return silent.length > 0 ? silent : ok(`It answers RADIUS at ${ports.map((port) => `${host}:${port}`).join(' and ')}`)
}

async function checkBroker(asked: Asked) {
  const { pool, config, clock } = asked
  if (!(await hasHere(asked, 'broker'))) {
    const since = runsSince(new Date(clock()))
    const { rows } = await pool.query<{ name: string }>('select name from broker where seen_at >= $1 order by name', [since])
    const places = rows.map(({ name }) => name)
    return elsewhere(asked, 'broker', places)
  }
  const host = hostHere(config.host)
  const { mqtt, mqtts } = config.ports
  return Promise.all([checkBrokerPort(asked, { host, port: mqtt, tls: false }), checkBrokerPort(asked, { host, port: mqtts, tls: true })])
}

async function checkBrokerPort({ config, clock }: Asked, at: { host: string; port: number; tls: boolean }) {
  const where = `${at.host}:${at.port}${at.tls ? ' (TLS)' : ''}`
  const answer = await askBroker(at)
  if ('why' in answer) return bad(`At ${where}: ${answer.why}`, 'See its log, and MASTHEAD_HOST')
  const { certificate } = answer
  const words = `It answers MQTT at ${where}`
  if (!certificate) return ok(words)
  const until = `${words}, with a certificate until ${dayOf(certificate.to)}`
  if (config.tls)
    return isNearEnd(certificate, clock())
      ? warn(until, 'Put a new one into the files of MASTHEAD_TLS_CERT and MASTHEAD_TLS_KEY: it is used within a minute')
      : ok(until)
  // One of its own is made anew some time before its end.
  return certificate.to - clock() < renewBefore - 86_400_000
    ? warn(until, 'See its log: it should have made another by now')
    : ok(`${until}, its own`)
}
