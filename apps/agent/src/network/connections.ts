import { mostSeen, type NetworkInterface, type WifiNetwork } from '@masthead/contract/devices/network/reported'
import type { Connection, ConnectionStep } from '@masthead/contract/devices/network/plan'
import type { DesiredWifi } from '@masthead/contract/devices/network/settings'
import { ProgramTrouble, runProgram, timeLeft } from './run-program.ts'

type Link = Pick<NetworkInterface, 'name' | 'kind' | 'connection' | 'internet'>
export type Managed = { version: string; connections: Connection[]; links: Link[]; seen: WifiNetwork[] | null }

const kinds: Record<string, NetworkInterface['kind']> = { ethernet: 'E', wifi: 'W', gsm: 'C' }
const wifiType = '802-11-wireless'
/** By its name a connection is known as one that was made from the console. */
const ourName = (ssid: string) => `masthead ${ssid}`
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
  const connections: Connection[] = []
  for (const line of (await nmcli(['-t', '-f', 'UUID,TYPE,NAME', 'connection', 'show'])).split('\n')) {
    const [, uuid = '', type = '', name = ''] = /^([^:]+):([^:]+):(.*)$/.exec(line) ?? []
    const device = devices.find((each) => each.kind && each.uuid === uuid)
    const isOurs = type === wifiType && name.startsWith(ourName(''))
    if (!uuid || !(device || type === 'gsm' || isOurs)) continue
    const settings = await readSettings(uuid, type === 'gsm' ? 'gsm' : isOurs ? 'wifi' : 'other')
    connections.push({ uuid, device: device?.device ?? null, interface: device?.interface ?? null, isWifi: type === wifiType, ...settings })
  }
  return {
    version,
    connections,
    seen: devices.some((each) => each.kind === 'W') ? await listWifi(false).catch(() => []) : null,
    links: devices.map(({ interface: name, kind = 'X', connection, internet }) => ({ name, kind, connection, internet })),
  }
}

const settingNames = {
  other: [],
  gsm: ['gsm.apn', 'gsm.username', 'gsm.password'],
  wifi: ['802-11-wireless.ssid', '802-11-wireless.hidden', '802-11-wireless-security.key-mgmt', '802-11-wireless-security.psk'],
}

async function readSettings(uuid: string, kind: keyof typeof settingNames): Promise<Pick<Connection, 'metric' | 'apn' | 'wifi'>> {
  const names = ['ipv4.route-metric', ...settingNames[kind]].join(',')
  // With its secrets: without them a password that is undone would be lost.
  const [fields = new Map<string, string>()] = readBlocks(await nmcli(['-s', '-t', '-f', names, 'connection', 'show', 'uuid', uuid]))
  const metric = Number(fields.get('ipv4.route-metric') ?? -1)
  const get = (name: string) => orNull(fields.get(name))
  const management = get('802-11-wireless-security.key-mgmt')
  return {
    metric: metric >= 0 ? metric : null,
    apn: kind === 'gsm' ? { name: get('gsm.apn'), user: get('gsm.username'), password: get('gsm.password') } : null,
    wifi:
      kind === 'wifi'
        ? {
            ssid: get('802-11-wireless.ssid') ?? '',
            security: management === 'sae' ? 'wpa3' : management ? 'wpa2' : 'open',
            hidden: get('802-11-wireless.hidden') === 'yes',
            password: get('802-11-wireless-security.psk'),
          }
        : null,
  }
}

const forget = (ssid: string, waits: number) => nmcli(['connection', 'delete', 'id', ourName(ssid)], waits).catch(goneOrThrow)

/** The settings alone, within so many ms; they count once the connection is set up again. */
export async function writeConnection(step: ConnectionStep, waits: number): Promise<void> {
  if (step.do === 'connect') return
  if (step.do === 'set_wifi') return writeWifi(step.wifi, waits)
  if (step.do === 'forget_wifi') return void (await forget(step.ssid, waits))
  const modify = (settings: readonly string[]) => nmcli(['connection', 'modify', 'uuid', step.uuid, ...settings], waits)
  if (step.do === 'set_metric') {
    const metric = String(step.metric ?? -1)
    return void (await modify(['ipv4.route-metric', metric, 'ipv6.route-metric', metric]))
  }
  const { name, user, password } = step.apn
  await modify(['gsm.apn', name ?? '', 'gsm.username', user ?? '', 'gsm.password', password ?? ''])
}

async function writeWifi({ ssid, security, hidden, password }: DesiredWifi, waits: number): Promise<void> {
  const left = timeLeft(waits)
  const hiding = ['802-11-wireless.hidden', hidden ? 'yes' : 'no']
  const securing =
    security === 'open'
      ? []
      : ['802-11-wireless-security.key-mgmt', security === 'wpa3' ? 'sae' : 'wpa-psk', '802-11-wireless-security.psk', password ?? '']
  // Made anew: an open network has no section for security, and one that had one would keep it.
  await forget(ssid, left())
  await nmcli(
    ['connection', 'add', 'type', 'wifi', 'con-name', ourName(ssid), 'ifname', '*', 'ssid', ssid, '--', ...hiding, ...securing],
    left()
  )
}

export async function setUpConnection(step: ConnectionStep, waits: number): Promise<void> {
  if (step.do === 'forget_wifi' || (step.do === 'set_apn' && step.withProfile)) return
  const left = timeLeft(waits)
  const of = step.do === 'set_wifi' ? ['id', ourName(step.wifi.ssid)] : ['uuid', step.uuid]
  const up = () => nmcli(['--wait', String(Math.max(1, Math.floor(left() / 1000) - 1)), 'connection', 'up', ...of], left())
  if (step.do !== 'set_metric') return void (await up())
  // A metric changes without an interruption, where the interface allows it.
  await nmcli(['device', 'reapply', step.device], left()).catch(up)
}

/** The networks in reach, the strongest first; looked for anew, or as the manager knows them. */
export async function listWifi(anew: boolean): Promise<WifiNetwork[]> {
  const rows = await nmcli(['-t', '-f', 'IN-USE,SIGNAL,SECURITY,SSID', 'device', 'wifi', 'list', '--rescan', anew ? 'yes' : 'no'], 30_000)
  const saved = await nmcli(['-t', '-f', 'TYPE,NAME', 'connection', 'show'])
  const seen = new Map<string, WifiNetwork>()
  for (const row of rows.split('\n')) {
    const [, inUse = '', signal = '', security = '', name = ''] = /^(.?):(\d*):((?:[^:\\]|\\.)*):(.*)$/.exec(row) ?? []
    const ssid = name.replaceAll(/\\(.)/g, '$1')
    if (ssid === '') continue
    const before = seen.get(ssid)
    const signal_pct = Math.max(Number(signal) || 0, before?.signal_pct ?? 0)
    const own = saved.split('\n').includes(`${wifiType}:${name}`)
    seen.set(ssid, { ssid, signal_pct, security: securityOf(security), in_use: inUse === '*' || (before?.in_use ?? false), own })
  }
  return [...seen.values()].toSorted((one, other) => (other.signal_pct ?? 0) - (one.signal_pct ?? 0)).slice(0, mostSeen)
}

function securityOf(words: string): WifiNetwork['security'] {
  if (words === '' || words === '--') return 'open'
  if (words.includes('802.1X')) return 'enterprise'
  if (/WPA[12]?\b/.test(words)) return 'wpa2'
  return words.includes('WPA3') ? 'wpa3' : 'other'
}

/** A connection that somebody deleted meanwhile needs nothing put back. */
export function goneOrThrow(error: unknown) {
  if (!(error instanceof ProgramTrouble) || !/unknown connection|no such connection/i.test(error.message)) throw error
}
