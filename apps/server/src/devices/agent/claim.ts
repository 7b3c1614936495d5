import { randomInt } from 'node:crypto'
import { runsContainers } from '@masthead/contract/devices/agent/application'
import { claimCodeUnknown, claimSuspended } from '@masthead/contract/devices/agent/device-problems'
import { claimCodeMade, deviceClaimed } from '@masthead/contract/devices/agent/events'
import { assetRunsNoContainers } from '@masthead/contract/devices/agent/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { systemActor, type Actor, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { hashToken } from '../credentials.ts'
import { enrolDevice, noCertificate } from '../enrol-device.ts'
import { readCertificate } from './certificate.ts'

const lasts = 86_400_000 // ms
/** Crockford base 32: nothing that is read as something else. 60 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** As people may write it: small letters, O for 0, I or L for 1, with or without dashes. */
const plain = (code: string) =>
  code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')

function makeCode(): string {
  const letters = Array.from({ length: 12 }, () => alphabet[randomInt(32)]).join('')
  return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** A code by which a device is set up as the asset; one of before is worth nothing from now on. */
export async function makeClaimCode(tx: Tx, actor: Actor, asset_id: string): Promise<{ code: string; expires_at: string }> {
  const { account_id, at } = actor
  const asset = await tx
    .selectFrom('asset')
    .select(['name', 'type'])
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirst()
  if (!asset) throw new Problem(notFound)
  if (!runsContainers(asset.type)) throw new Problem(assetRunsNoContainers)
  const code = makeCode()
  const expires_at = new Date(at.getTime() + lasts)
  const given = { hash: hashToken(plain(code)), created_by: actor.email, created_at: at, expires_at }
  await tx
    .insertInto('claim_code')
    .values({ account_id, asset_id, ...given })
    .onConflict((conflict) => conflict.columns(['account_id', 'asset_id']).doUpdateSet(given))
    .execute()
  await record(tx, actor, claimCodeMade, { asset_id, asset_name: asset.name })
  return { code, expires_at: expires_at.toISOString() }
}

type Claim = { code: string; host_name: string; certificate?: string | undefined }

/** Uses a claim code, once. */
export async function useClaimCode(tx: Tx, { at, ip, request_id }: Actor, { code, host_name, certificate: pem }: Claim) {
  const certificate = pem === undefined ? noCertificate : readCertificate(pem)
  const used = await tx
    .deleteFrom('claim_code')
    .where('hash', '=', hashToken(plain(code)))
    .returningAll()
    .executeTakeFirst()
  if (!used || used.expires_at <= at) throw new Problem(claimCodeUnknown)
  const { account_id, asset_id } = used
  const { name, suspended_at } = await tx
    .selectFrom('asset')
    .innerJoin('account', 'account.id', 'asset.account_id')
    .select(['asset.name', 'account.suspended_at'])
    .where('asset.account_id', '=', account_id)
    .where('asset.id', '=', asset_id)
    .executeTakeFirstOrThrow()
  // The code is good again once the account is.
  if (suspended_at) throw new Problem(claimSuspended)
  const { device_id, password } = await enrolDevice(tx, { account_id, asset_id, kind: 'agent', at, certificate })
  const actor: Actor = { ...systemActor(account_id, at), kind: 'device', email: 'device', ip, request_id }
  await record(tx, actor, deviceClaimed, { asset_id, asset_name: name, host_name })
  return { device_id, token: password }
}
