import type { NetworkInterface } from '@masthead/contract/devices/network/reported'
import type { Connection, NetworkStep } from '@masthead/contract/devices/network/plan'
import { ProgramTrouble, runProgram } from './run-program.ts'

type Link = Pick<NetworkInterface, 'name' | 'kind' | 'connection' | 'internet'>
export type Managed = { version: string; connections: Connection[]; links: Link[] }

const kinds: Record<string, NetworkInterface['kind']> = { ethernet: 'E', wifi: 'W', gsm: 'C' }
const internets: Record<string, NetworkInterface['internet']> = { full: 'full', limited: 'limited', portal: 'portal', none: 'none' }
const deviceFields = ['DEVICE', 'TYPE', 'IP-IFACE', 'IP4-CONNECTIVITY', 'CONNECTION', 'CON-UUID'].map((field) => `GENERAL.${field}`)

const nmcli = (args: readonly string[], waits?: number) => runProgram('nmcli', args, waits)

/** Blocks of `NAME:value` lines. A colon of a value may be written with a backslash. */
const readBlocks = (text: string): Map<string, string>[] =>
  text
    .split(/\n\s*\n/)
    .filter((block) => block.trim() !== '')
    .map(
      (block) =>
        new Map(
          block.split('\n').map((line) => {
            const colon = line.indexOf(':')
            return [line.slice(0, colon), line.slice(colon + 1).replaceAll(/\\(.)/g, '$1')] as const
          })
        )
    )

const orNull = (text: string | undefined) => (text === undefined || text === '' || text === '--' ? null : text)

/** What NetworkManager has, by its program nmcli. */
export async function readManager(): Promise<Managed> {
  const version = (await nmcli(['--version'])).trim().split(' ').at(-1) ?? ''
  const devices = readBlocks(await nmcli(['-t', '-f', deviceFields.join(','), 'device', 'show'])).map((fields) => {
    const get = (field: string) => orNull(fields.get(`GENERAL.${field}`))
    return {
      device: get('DEVICE') ?? '',
      kind: kinds[get('TYPE') ?? ''],
      interface: get('IP-IFACE') ?? get('DEVICE') ?? '',
      internet: internets[/\((\w+)\)/.exec(get('IP4-CONNECTIVITY') ?? '')?.[1] ?? ''] ?? null,
      connection: get('CONNECTION'),
      uuid: get('CON-UUID'),
    }
  })
  const listed = (await nmcli(['-t', '-f', 'UUID,TYPE', 'connection', 'show']))
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([uuid, type]) => uuid && (type === 'gsm' || devices.some((each) => each.kind && each.uuid === uuid)))
  const connections: Connection[] = []
  for (const [uuid = '', type] of listed) {
    const device = devices.find((each) => each.uuid === uuid)
    connections.push({
      uuid,
      device: device?.device ?? null,
      interface: device?.interface ?? null,
      ...(await readSettings(uuid, type === 'gsm')),
    })
  }
  return {
    version,
    connections,
    links: devices.map(({ interface: name, kind = 'X', connection, internet }) => ({ name, kind, connection, internet })),
  }
}

async function readSettings(uuid: string, cellular: boolean): Promise<Pick<Connection, 'metric' | 'apn'>> {
  const names = ['ipv4.route-metric', ...(cellular ? ['gsm.apn', 'gsm.username', 'gsm.password'] : [])]
  // With its secrets: without them a password that is undone would be lost.
  const [fields = new Map<string, string>()] = readBlocks(
    await nmcli(['-s', '-t', '-f', names.join(','), 'connection', 'show', 'uuid', uuid])
  )
  const metric = Number(fields.get('ipv4.route-metric') ?? -1)
  const get = (name: string) => orNull(fields.get(`gsm.${name}`))
  return {
    metric: metric >= 0 ? metric : null,
    apn: cellular ? { name: get('apn'), user: get('username'), password: get('password') } : null,
  }
}

/** The settings alone; they count once the connection is set up again. */
async function write(step: NetworkStep): Promise<void> {
  const metric = step.do === 'set_metric' ? String(step.metric ?? -1) : ''
  const settings =
    step.do === 'set_metric'
      ? ['ipv4.route-metric', metric, 'ipv6.route-metric', metric]
      : ['gsm.apn', step.apn.name ?? '', 'gsm.username', step.apn.user ?? '', 'gsm.password', step.apn.password ?? '']
  await nmcli(['connection', 'modify', 'uuid', step.uuid, ...settings])
}

async function setUp(step: NetworkStep, waits: number): Promise<void> {
  const seconds = Math.max(1, Math.floor(waits / 1000))
  const up = () => nmcli(['--wait', String(seconds), 'connection', 'up', 'uuid', step.uuid], waits + 5000)
  if (step.do === 'set_apn') return void (await up())
  // A metric changes without an interruption, where the interface allows it.
  await nmcli(['device', 'reapply', step.device], waits).catch(up)
}

/** Does one step, within so many ms. */
export async function carryOut(step: NetworkStep, waits: number): Promise<void> {
  await write(step)
  await setUp(step, waits)
}

/**
 * Puts back what was there. It is done once the settings are as before: a connection that does not come up with them is tried again by the manager
 * itself. Answers what was said against it.
 */
export async function putBack(steps: readonly NetworkStep[], waits: number): Promise<string | null> {
  const said: string[] = []
  for (const step of steps) await write(step).catch((error: unknown) => goneOrThrow(error))
  for (const step of steps) await setUp(step, waits).catch((error: unknown) => said.push((error as Error).message))
  return said.length > 0 ? said.join('. ').slice(0, 300) : null
}

/** A connection that somebody deleted meanwhile needs nothing put back. */
function goneOrThrow(error: unknown) {
  if (!(error instanceof ProgramTrouble) || !/unknown connection|no such connection/i.test(error.message)) throw error
}
