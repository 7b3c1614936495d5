import { dayOf } from '@masthead/contract/kernel/time'
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { connect } from 'node:tls'
import { whyNoCertificate } from '../devices/index.ts'
import { whyNoConsole } from '../kernel/built-dirs.ts'
import type { Config } from '../kernel/config.ts'
import { openBlobs } from '../kernel/blobs/open-blobs.ts'
import { openMailer } from '../kernel/mail/mailer.ts'
import { keyFileOf } from '../kernel/secrets/secret-keys.ts'
import { askWhatItIs } from '../registry/index.ts'
import { bad, ok, warn, type Check } from './finding.ts'
import { checkAgentNodes } from './agent-nodes-check.ts'
import { checkRegistry } from './registry-check.ts'
import { isNearEnd } from './near-end.ts'
import { addressHere, askFigures, askReadiness, readinessAddress } from './own-figures.ts'

const gigabyte = 1e9
const day = 86_400_000 // ms

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** What is seen without the database. `now`: ms since 1970. `readAddresses`: those of this machine; throws where it may not ask. */
export type Machine = { config: Config; now: number; readAddresses?: () => unknown } & PortChoice

/** Whether the ports are free; throws a `StartError` where the start would. `why`: it would go on without figures. */
export type PortChoice = {
  choosePorts: (config: Config) => Promise<unknown>
  chooseMetricsPort: (config: Config) => Promise<{ port: number } | { why: string }>
}

export const machineChecks: Check<Machine>[] = [
  { about: 'configuration', look: async ({ config, now }) => checkSettings(config, now) },
  { about: 'data directory', look: async ({ config }) => checkDirectory(config) },
  { about: 'disk', look: async ({ config: { dataDir } }) => checkDisk(dataDir) },
  { about: 'files', look: async ({ config }) => checkBlobs(config) },
  { about: 'secret key', look: async ({ config }) => checkKeyFile(config) },
  { about: 'ports', look: checkPorts },
  { about: 'addresses', look: async ({ readAddresses }) => checkAddresses(readAddresses) },
  { about: 'figures', look: checkFigures },
  { about: 'mail server', look: async ({ config }) => checkMailServer(config) },
  { about: 'scanner', look: async ({ config, now }) => checkScanner(config, now) },
  { about: 'images', look: async ({ config }) => checkRegistry(config) },
  { about: 'devices', look: async ({ config }) => checkAgentNodes(config) },
  { about: 'certificate', look: async ({ config, now }) => checkCertificate(config, now) },
]

function checkSettings(config: Config, now: number) {
  const { unknownVariables, host, publicUrl, demo, trustProxy, cdrDir } = config
  const findings = unknownVariables.map((words) => warn(words, 'Mend its name, or take it out of the environment'))
  for (const why of [whyNoConsole(config), whyNoCertificate(config, now)])
    if (why !== null) findings.push(bad(why, 'Mend the setting, or give the files to the user that Masthead runs as'))
  if (cdrDir !== undefined && !isReadable(cdrDir))
    findings.push(
      bad(`MASTHEAD_CDR_DIR is ${cdrDir}, which cannot be read`, 'Make the directory, or mount it, for the user that Masthead runs as')
    )
  const outside = publicUrl !== undefined || !isLoopback(host)
  if (outside && demo)
    findings.push(
      warn('The demo is on, whose people have a password that everybody knows', 'Set MASTHEAD_DEMO=off before others can reach it')
    )
  if (!isLoopback(host) && publicUrl === undefined)
    findings.push(
      warn('Others can reach it, and it answers to IP addresses alone', 'Set MASTHEAD_PUBLIC_URL to the address that people use')
    )
  if (publicUrl?.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname))
    findings.push(
      warn(
        'People reach it without TLS: passwords and sessions can be read on the way',
        'Put a proxy with TLS before it and set MASTHEAD_PUBLIC_URL to its https: address'
      )
    )
  if (publicUrl?.startsWith('https:') && isLoopback(host) && trustProxy === 0)
    findings.push(
      warn(
        'A proxy seems to stand before it, and all requests count as the proxy’s own',
        'Set MASTHEAD_TRUST_PROXY to how many proxies there are'
      )
    )
  return findings.length > 0 ? findings : ok('Every setting is understood')
}

function isReadable(dir: string): boolean {
  try {
    readdirSync(dir)
    return true
  } catch {
    return false
  }
}

function checkDirectory({ dataDir: dir, databaseUrl }: Config) {
  if (!existsSync(dir))
    return warn(`${dir} is not there: nothing was started here yet`, 'Start Masthead, or say with MASTHEAD_DATA_DIR where it works')
  try {
    accessSync(dir, constants.W_OK | constants.X_OK)
  } catch {
    return bad(`We may not write to ${dir}`, 'Give it to the user that Masthead runs as, or set MASTHEAD_DATA_DIR')
  }
  const moved = join(dir, 'postgres/moved') // embedded-postgres/home.ts
  return ok(databaseUrl === undefined && existsSync(moved) ? `${dir}, and the database in ${realpathSync(moved)}: a copy needs both` : dir)
}

async function checkDisk(dir: string) {
  if (!existsSync(dir)) return ok('Nothing is kept here yet')
  const { bavail, blocks, bsize } = await statfs(dir)
  const [free, all] = [bavail * bsize, blocks * bsize]
  const words = `${(free / gigabyte).toFixed(1)} GB of ${(all / gigabyte).toFixed(1)} GB are free`
  const way = 'Make room: docs/operations/sizing.md says what records, sessions and assets take'
  if (free < gigabyte / 2) return bad(words, way)
  return free < 2 * gigabyte || free < all / 20 ? warn(words, way) : ok(words)
}

function checkKeyFile({ dataDir, secretKeys }: Config) {
  if (secretKeys.length > 0) return ok('From MASTHEAD_SECRET_KEY')
  const found = statSync(keyFileOf(dataDir), { throwIfNoEntry: false })
  if (!found) return warn('There is none yet', 'It is made at the first start. Keep a copy of it apart from the database')
  if (found.mode & 0o077) return bad(`Others may read ${keyFileOf(dataDir)}`, `chmod 600 ${keyFileOf(dataDir)}`)
  return ok(keyFileOf(dataDir))
}

/** Of one that runs `/readyz` says it; else whether the ports are free. */
async function checkPorts({ config, choosePorts }: Machine) {
  const address = readinessAddress(config)
  const said = await askReadiness(address)
  if (said)
    return said.ok
      ? ok(`Masthead runs at ${address}`)
      : bad(`Masthead runs at ${address} and is not ready: ${said.words.join('; ')}`, 'Its log says more')
  try {
    await choosePorts(config)
    return warn('Masthead does not run; its ports are free', 'npm start')
  } catch (error) {
    if ((error as Error).name !== 'StartError') throw error
    return bad((error as Error).message, `Roles of this machine: ${config.roles.join(', ')}`)
  }
}

/** WebRTC asks for them. Where AF_NETLINK is not allowed, Node throws. */
function checkAddresses(readAddresses: () => unknown = networkInterfaces) {
  try {
    readAddresses()
    return ok('Those of this machine can be read')
  } catch (error) {
    return bad(
      `Those of this machine cannot be read, so no terminal of a CORE device opens: ${(error as Error).message}`,
      'Let the unit ask for them: RestrictAddressFamilies with AF_NETLINK, as in deploy/systemd/masthead@.service'
    )
  }
}

async function checkFigures({ config, chooseMetricsPort }: Machine) {
  const found = await askFigures(config)
  if ('text' in found) return ok(`At ${addressHere(config.metrics.host, config.metrics.port)}/metrics`)
  if (found.isRefused) return bad(found.why, 'Give the doctor, and Prometheus, the token that Masthead was started with')
  const way = 'Nothing watches this process until then'
  try {
    const chosen = await chooseMetricsPort(config)
    if ('why' in chosen) return warn(chosen.why, way)
  } catch (error) {
    if ((error as Error).name !== 'StartError') throw error
    return bad((error as Error).message, 'Masthead does not start until then')
  }
  const { host, ports, roles } = config
  if (!roles.includes('api') || !(await askReadiness(addressHere(host, ports.http)))) return ok('Their port is free')
  return warn(`${found.why}, though Masthead runs`, 'Their port was taken when it started, or it has other settings. Start it again')
}

const othersMayEnter = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || othersMayEnter(dirname(path)))

async function checkBlobs(config: Config) {
  if (!config.s3 && !existsSync(config.dataDir)) return ok('Nothing is kept here yet')
  const { place, whyNotWritten } = openBlobs(config)
  const why = await whyNotWritten()
  // Recordings of terminals have what was typed, and reports what belongs to customers.
  if (why === null && !config.s3 && othersMayEnter(resolve(place)))
    return warn(`Other users of this machine may read ${place}`, `chmod o-rwx ${place}`)
  if (why === null) return ok(`They can be written to ${place}`)
  return bad(why, config.s3 ? 'See the S3_ variables, and the store' : 'Make room, or give the directory to the user that Masthead runs as')
}

async function checkMailServer(config: Config) {
  const mailer = openMailer(config)
  if (!mailer) return warn('There is none: mail stays in the database', 'Set SMTP_URL, or hand links to people yourself')
  try {
    await mailer.prove()
    return ok('It lets us in')
  } catch (error) {
    return bad(`It does not let us in: ${(error as Error).message}`, 'See SMTP_URL and the mail server')
  } finally {
    mailer.close()
  }
}

async function checkScanner({ integrations: { scanner } }: Config, now: number) {
  if (!scanner) return ok('There is none: images are compared with advisories by their lists of packages alone')
  try {
    const { name, database_at } = await askWhatItIs(scanner, { within: 5000 })
    if (!database_at) return ok(`${name} answers`)
    const words = `${name} answers, with a database of ${dayOf(database_at.getTime())}`
    return now - database_at.getTime() > 7 * day ? warn(words, 'See why the scanner does not bring its database up to date') : ok(words)
  } catch (error) {
    return bad((error as Error).message, 'See SCANNER_URL, SCANNER_AUTHORIZATION and the scanner; images wait until then')
  }
}

async function checkCertificate({ publicUrl }: Config, now: number) {
  if (!publicUrl?.startsWith('https:')) return ok('None is needed: the address is not https:')
  const { hostname, port } = new URL(publicUrl)
  const found = await certificateOf(hostname, Number(port || 443))
  if ('why' in found) return warn(`${hostname} could not be asked from here: ${found.why}`, 'Look at it from where people are')
  const words = `of ${hostname}, until ${dayOf(found.to)}`
  const way =
    found.error === 'CERT_HAS_EXPIRED'
      ? 'Renew it at the proxy'
      : 'See at the proxy for which name it is, who signed it, and that what leads to the authority is sent with it'
  if (found.error) return bad(`It is not believed (${found.error}), ${words}`, way)
  return isNearEnd(found, now) ? warn(words, 'Renew it at the proxy: it should have renewed itself by now') : ok(words)
}

/** `from`, `to`: ms since 1970. */
type Certificate = { from: number; to: number; error: string | null }

const certificateOf = (host: string, port: number) =>
  new Promise<Certificate | { why: string }>((resolve) => {
    const socket = connect({ host, port, ...(isIP(host) === 0 && { servername: host }), rejectUnauthorized: false, timeout: 5000 })
    const give = (found: Certificate | { why: string }) => {
      resolve(found)
      socket.destroy()
    }
    socket.once('error', ({ message }) => give({ why: message }))
    socket.once('timeout', () => give({ why: 'it did not answer' }))
    socket.once('secureConnect', () => {
      const error = socket.authorizationError as Error | string | undefined
      const { valid_from, valid_to } = socket.getPeerCertificate()
      const time = { from: Date.parse(valid_from), to: Date.parse(valid_to) }
      give({ ...time, error: error ? String(error instanceof Error ? error.message : error) : null })
    })
  })
