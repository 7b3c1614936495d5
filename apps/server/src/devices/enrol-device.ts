import { newId } from '@masthead/contract/kernel/id'
import { deviceId } from '@masthead/contract/devices/device'
import type { DeviceKind } from '@masthead/contract/devices/device-kind'
import type { Db, Tx } from '../kernel/app.ts'
import type { Keyed } from '../kernel/secrets/secret-keys.ts'
import { hashToken, makeToken, tokenPlace } from './credentials.ts'

/** What a device signs in with. A CORE device's user name is its token, and its password the word `sixfab` that all of them say. */
export type DeviceLogin = { device_id: string; username: string; password: string }

const corePassword = 'sixfab'

/** What is kept of a certificate by which an agent may sign in as well. */
export type CertificateFields = { certificate_hash: Buffer | null; certificate_ends_at: Date | null }
export const noCertificate: CertificateFields = { certificate_hash: null, certificate_ends_at: null }

type Enrol = { account_id: string; asset_id: string; kind: DeviceKind; at: Date; certificate?: CertificateFields }

/**
 * Makes the credentials of an asset's device, in place of those that it may have: what signed in with them before is cut off, and commands
 * that wait for it are dropped. What it reported stays. The password of an agent is handed out here alone.
 */
export async function enrolDevice(tx: Tx, { account_id, asset_id, kind, at, certificate = noCertificate }: Enrol): Promise<DeviceLogin> {
  const known = await tx
    .selectFrom('device')
    .select('id')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .forUpdate()
    .executeTakeFirst()
  const device_id = known?.id ?? newId(deviceId, at.getTime())
  const token = makeToken()
  const login =
    kind === 'core' ? { device_id, username: token, password: corePassword } : { device_id, username: device_id, password: token }
  const secrets = {
    kind,
    username_hash: hashToken(login.username),
    password_hash: kind === 'agent' ? hashToken(token) : null,
    ...certificate,
    sealed_token: kind === 'core' ? tx.keys.encrypt(tokenPlace(device_id), token) : null,
  }
  if (known) {
    await tx
      .updateTable('device')
      .set({ ...secrets, cut_at: null, cut_by: null })
      .where('account_id', '=', account_id)
      .where('id', '=', device_id)
      .execute()
    // A reboot or a terminal was meant for the device that was there.
    await tx.deleteFrom('device_directive').where('account_id', '=', account_id).where('device_id', '=', device_id).execute()
  } else
    await tx
      .insertInto('device')
      .values({ account_id, id: device_id, asset_id, ...secrets, created_at: at, desired: '{}' })
      .execute()
  return login
}

/** The token of an asset's CORE device, if it has one. */
export async function findCoreToken(db: Db & Keyed, account_id: string, asset_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('device')
    .select(['id', 'sealed_token'])
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .executeTakeFirst()
  return row?.sealed_token ? decryptCoreToken(db, row.id, row.sealed_token) : undefined
}

export const encryptCoreToken = ({ keys }: Keyed, id: string, token: string): string => keys.encrypt(tokenPlace(id), token)
export const decryptCoreToken = ({ keys }: Keyed, id: string, sealed: string): string => keys.decrypt(tokenPlace(id), sealed)
