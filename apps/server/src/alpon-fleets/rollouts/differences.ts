import { wantedOf } from '../../devices/agent/index.ts'
import { networksOf } from '../../devices/network/index.ts'
import type { Db } from '../../kernel/app.ts'
import type { Keyed } from '../../kernel/secrets/secret-keys.ts'
import { changesBetween } from './version-changes.ts'
import { contentOf, getVersion } from './version-queries.ts'

type Of = { account_id: string; fleet_id: string }

/** How what is wanted of devices differs from the versions that they got, in words, by asset. */
export async function differencesOf(
  db: Db & Keyed,
  { account_id, fleet_id }: Of,
  devices: readonly { asset_id: string; version: number }[]
): Promise<Map<string, string[]>> {
  const ids = devices.map(({ asset_id }) => asset_id)
  const [wanted, networks] = [await wantedOf(db, account_id, ids), await networksOf(db, account_id, ids)]
  const found = new Map<string, string[]>()
  for (const [version, those] of Map.groupBy(devices, (device) => device.version)) {
    const content = contentOf(db, await getVersion(db, account_id, fleet_id, version))
    for (const { asset_id } of those) {
      const { stopped = [], ...now } = wanted.get(asset_id) ?? { containers: [], secrets: {} }
      // What the version leaves as each device has it is no difference.
      const { priority = null, apn = null } = networks.get(asset_id) ?? {}
      const network = { priority: content.network.priority && priority, apn: content.network.apn && apn }
      const still = stopped.filter((name) => content.containers.some((each) => each.name === name))
      found.set(asset_id, [...changesBetween(content, { ...now, network }), ...still.map((name) => `${name}: stopped`)])
    }
  }
  return found
}
