import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import { enrolDevice } from '../devices/index.ts'
import type { App, Tx } from '../kernel/app.ts'
import type { Config } from '../kernel/config.ts'
import { suggestSlug } from '../registry/index.ts'
import { demoDisk, writeDemoVitals, type DemoDisk } from './device-vitals.ts'
import { failing, demoFleet, writeDemoRollouts } from './fleets/fleet-versions.ts'
import { ownerEmail } from './people.ts'

const most = 12
type Planned = {
  asset_id: string
  username: string
  password: string
  kind: 'core' | 'agent'
  name: string
  flaky: boolean
  fails?: { container: string; tag: string; words: string }
  iccid?: string
  imei?: string
  /** It goes on from there, so that its past and its present meet. */
  disk?: DemoDisk
}

/**
 * Gives some devices of the demo credentials, once, and writes what they sign in with for the simulated devices. Passwords are in that file alone:
 * whoever gives a device others takes it from the simulation. `isNew`: the demo was made just now.
 */
export async function planDevices({ db, config, clock }: App, { isNew }: { isNew: boolean }): Promise<string> {
  const file = join(config.dataDir, 'demo-devices.json')
  const before = await readFile(file, 'utf8').then(
    (text) => (JSON.parse(text) as { devices: Planned[] }).devices,
    () => []
  )
  const assets = await db
    .selectFrom('asset')
    .innerJoin('person', 'person.account_id', 'asset.account_id')
    .leftJoin('device', (join) => join.onRef('device.account_id', '=', 'asset.account_id').onRef('device.asset_id', '=', 'asset.id'))
    .leftJoin('sim', (join) => join.onRef('sim.account_id', '=', 'asset.account_id').onRef('sim.id', '=', 'asset.sim_id'))
    .leftJoin('fleet_asset', (join) =>
      join.onRef('fleet_asset.account_id', '=', 'asset.account_id').onRef('fleet_asset.asset_id', '=', 'asset.id')
    )
    .leftJoin('fleet', (join) =>
      join.onRef('fleet.account_id', '=', 'fleet_asset.account_id').onRef('fleet.id', '=', 'fleet_asset.fleet_id')
    )
    .select(['asset.account_id', 'asset.id', 'asset.name', 'asset.type', 'device.id as device_id', 'sim.iccid', 'sim.imei'])
    .select(['fleet.id as fleet_id', 'fleet.name as fleet_name', 'fleet.pilot_asset_id'])
    .where('person.email', '=', ownerEmail)
    .where('asset.type', 'in', ['core', 'alpon_x4', 'alpon_x5_ai', 'axis_gw'])
    .orderBy('asset.id')
    .execute()
  const kept = before.filter(({ asset_id }) => assets.some(({ id }) => id === asset_id))
  const free = assets.filter(({ device_id }) => device_id === null)
  // Half of them CORE devices, as far as there are some.
  const inFleet = ({ fleet_name }: { fleet_name: string | null }) => Number(fleet_name === demoFleet)
  const agents = free.filter(({ type }) => type !== 'core').toSorted((a, b) => inFleet(b) - inFleet(a))
  const cores = free.filter(({ type }) => type === 'core')
  const chosen = [...cores.slice(0, most / 2), ...agents.slice(0, most / 2)].slice(0, Math.max(0, most - kept.length))
  const added = await db.transaction().execute(async (tx) => {
    const planned: Planned[] = []
    for (const [i, { account_id, id: asset_id, name, type, iccid, imei }] of chosen.entries()) {
      const kind = deviceKindOf(type)!
      const { device_id, username, password } = await enrolDevice(tx, { account_id, asset_id, kind, at: clock.now() })
      const numbers = { ...(iccid && { iccid }), ...(imei && { imei }) }
      const disk = kind === 'agent' ? demoDisk(i, clock.now()) : undefined
      if (disk) await writeDemoVitals(tx, { account_id, device_id, seed: i, disk }, clock.now())
      planned.push({ asset_id, username, password, kind, name, flaky: i % most === 1, ...numbers, ...(disk && { disk }) })
    }
    const fails = isNew && (await fillDemoFleet(tx, config, chosen.filter(inFleet), clock.now()))
    for (const each of planned) if (each.asset_id === fails) each.fails = failing
    return planned
  })
  const host = hostOf(config)
  const plan = {
    seed: 1883,
    server: { host, port: config.ports.http, path: config.basePath, name: config.publicUrl ? new URL(config.publicUrl).host : null },
    broker: { host, port: config.ports.mqtt },
    devices: [...kept, ...added],
  }
  await writeFile(file, JSON.stringify(plan), { mode: 0o600 })
  return file
}

const hostOf = ({ host }: Config) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)
/** As devices name the registry. */
const registryOf = (config: Config) =>
  config.integrations.registryHost ?? (config.publicUrl ? new URL(config.publicUrl).host : `${hostOf(config)}:${config.ports.http}`)

type Member = { account_id: string; id: string; name: string; fleet_id: string | null; pilot_asset_id: string | null }

/** What was rolled out to the fleet whose devices these are. Answers the one that could not run the newest version. */
async function fillDemoFleet(tx: Tx, config: Config, members: readonly Member[], now: Date): Promise<string | undefined> {
  const pilot = members.find(({ id, pilot_asset_id }) => id === pilot_asset_id)
  const fails = members.find(({ id }) => id !== pilot?.id)?.id
  if (!pilot?.fleet_id || !fails) return undefined
  const { account_id, fleet_id, id: pilot_asset_id, name: pilot_name } = pilot
  const assets = members.map(({ id }) => id)
  // The images are pushed once the registry answers, under the name that the account gets then.
  const registry = `${registryOf(config)}/${await suggestSlug(tx, account_id)}`
  await writeDemoRollouts(tx, { registry, account_id, fleet_id, pilot_asset_id, pilot_name, assets, fails }, now)
  return fails
}
