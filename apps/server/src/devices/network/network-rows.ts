import type { DesiredNetwork, EsimJob } from '@masthead/contract/devices/network/settings'
import { ReportedNetwork } from '@masthead/contract/devices/network/reported'
import type { Network } from '@masthead/contract/devices/network/view'
import type { Db } from '../../kernel/app.ts'
import type { Keyed } from '../../kernel/secrets/secret-keys.ts'
import { findAgentDevice } from '../agent/agent-device.ts'

export const findNetworkRow = (db: Db, account_id: string, asset_id: string) =>
  db.selectFrom('device_network').selectAll().where('account_id', '=', account_id).where('asset_id', '=', asset_id).executeTakeFirst()
type NetworkRow = NonNullable<Awaited<ReturnType<typeof findNetworkRow>>>

type NetworkSecrets = {
  apn_password?: string
  pin?: string
  wifi?: Record<string, string>
  esim?: { code: string; confirmation: string | null; name?: string | undefined; apn?: string | undefined }
  /** APNs of profiles of its eSIM, by ICCID: that of the one in use is set. */
  apns?: Record<string, string>
}
export const encryptNetworkSecrets = ({ keys }: Keyed, asset_id: string, secrets: string): string =>
  keys.encrypt(`network ${asset_id}`, secrets)
export const decryptNetworkSecrets = ({ keys }: Keyed, asset_id: string, sealed: string): string =>
  keys.decrypt(`network ${asset_id}`, sealed)
export const networkSecretsOf = (
  db: Keyed,
  { asset_id, sealed_secrets }: Pick<NetworkRow, 'asset_id' | 'sealed_secrets'>
): NetworkSecrets => JSON.parse(decryptNetworkSecrets(db, asset_id, sealed_secrets)) as NetworkSecrets

/** What is wanted of an asset's network, and what its device reported last, as far as that has the shape of a report. */
export async function getNetwork(db: Db, account_id: string, asset_id: string): Promise<Network> {
  const device = await findAgentDevice(db, account_id, asset_id)
  const row = await findNetworkRow(db, account_id, asset_id)
  return {
    device: device ? { id: device.id, online: device.online, since: device.since?.toISOString() ?? null } : null,
    wanted: row ? wantedOf(row) : null,
    reported: ReportedNetwork.safeParse(device?.reported.network).data ?? null,
  }
}

const wantedOf = (row: NetworkRow): NonNullable<Network['wanted']> => ({
  generation: row.generation,
  priority: row.priority,
  apn: row.apn === null ? null : { name: row.apn, user: row.apn_user, has_password: row.has_apn_password },
  wifi: row.wifi ?? [],
  profile: row.profile,
  esim_job: row.esim_job,
  pin_generation: row.pin_generation,
  changed_at: row.changed_at.toISOString(),
  changed_by: row.changed_by,
  sent_at: row.sent_generation === row.generation ? (row.sent_at?.toISOString() ?? null) : null,
})

/** The same for the device itself, with its secrets. */
export function desiredNetworkOf(db: Keyed, row: NetworkRow | undefined): DesiredNetwork | null {
  if (!row) return null
  const { apn_password = null, pin, wifi = {}, esim } = networkSecretsOf(db, row)
  return {
    generation: row.generation,
    priority: row.priority,
    apn: row.apn === null ? null : { name: row.apn, user: row.apn_user, password: apn_password },
    wifi: row.wifi?.map((each) => ({ ...each, password: wifi[each.ssid] ?? null })) ?? null,
    profile: row.profile,
    esim: row.esim_job && jobOf(row.esim_job, esim),
    pin: row.pin_generation === null || pin === undefined ? null : { generation: row.pin_generation, code: pin },
  }
}

export function jobOf({ generation, iccid }: NonNullable<NetworkRow['esim_job']>, secret: NetworkSecrets['esim']): EsimJob | null {
  if (iccid !== null) return { generation, do: 'delete', iccid }
  return secret ? { generation, do: 'add', ...secret } : null
}
