import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import { enrolDevice } from '../devices/index.ts'
import type { App } from '../kernel/app.ts'
import { writeDemoVitals } from './device-vitals.ts'
import { ownerEmail } from './people.ts'

const most = 12
type Planned = {
  asset_id: string
  username: string
  password: string
  kind: 'core' | 'agent'
  name: string
  flaky: boolean
  iccid?: string
  imei?: string
}

/**
 * Gives some devices of the demo credentials, once, and writes what they sign in with for the simulated devices. Passwords are in that file alone:
 * whoever gives a device others takes it from the simulation.
 */
export async function planDevices({ db, config, clock }: App): Promise<string> {
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
    .select(['asset.account_id', 'asset.id', 'asset.name', 'asset.type', 'device.id as device_id', 'sim.iccid', 'sim.imei'])
    .where('person.email', '=', ownerEmail)
    .where('asset.type', 'in', ['core', 'alpon_x4', 'alpon_x5_ai', 'axis_gw'])
    .orderBy('asset.id')
    .execute()
  const kept = before.filter(({ asset_id }) => assets.some(({ id }) => id === asset_id))
  const free = assets.filter(({ device_id }) => device_id === null)
  // Half of them CORE devices, as far as there are some.
  const [cores, agents] = [free.filter(({ type }) => type === 'core'), free.filter(({ type }) => type !== 'core')]
  const chosen = [...cores.slice(0, most / 2), ...agents.slice(0, most / 2)].slice(0, Math.max(0, most - kept.length))
  const added = await db.transaction().execute(async (tx) => {
    const planned: Planned[] = []
    for (const [i, { account_id, id: asset_id, name, type, iccid, imei }] of chosen.entries()) {
      const kind = deviceKindOf(type)!
      const { device_id, username, password } = await enrolDevice(tx, { account_id, asset_id, kind, at: clock.now() })
      if (kind === 'agent') await writeDemoVitals(tx, { account_id, device_id, seed: i }, clock.now())
      planned.push({ asset_id, username, password, kind, name, flaky: i % most === 1, ...(iccid && { iccid }), ...(imei && { imei }) })
    }
    return planned
  })
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const plan = { seed: 1883, broker: { host, port: config.ports.mqtt }, devices: [...kept, ...added] }
  await writeFile(file, JSON.stringify(plan), { mode: 0o600 })
  return file
}
