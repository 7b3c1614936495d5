import { X509Certificate } from 'node:crypto'
import { certificateRemoved, certificateSet } from '@masthead/contract/devices/agent/events'
import { certificateNotSet } from '@masthead/contract/devices/agent/problems'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { certificateHash } from '../broker/peer-certificate.ts'
import { noCertificate, type CertificateFields } from '../enrol-device.ts'
import { assetNameOf, getAgentDevice } from './agent-device.ts'

function refuse(words: string): never {
  throw new Problem(invalidRequest, words, { fields: { certificate: words } })
}

/** What is kept of a certificate. */
export function readCertificate(pem: string): CertificateFields & { certificate_ends_at: Date } {
  try {
    const certificate = new X509Certificate(pem)
    return { certificate_hash: certificateHash(certificate), certificate_ends_at: new Date(certificate.validTo) }
  } catch {
    return refuse('This is no certificate')
  }
}

const keep = (tx: Tx, { account_id }: Actor, device_id: string, certificate: CertificateFields) =>
  tx.updateTable('device').set(certificate).where('account_id', '=', account_id).where('id', '=', device_id).execute()

/** Gives a device a certificate to sign in with. Brokers learn of it, and end what was opened with the one before. */
export async function setCertificate(tx: Tx, actor: Actor, asset_id: string, pem: string): Promise<void> {
  const { id } = await getAgentDevice(tx, actor.account_id, asset_id)
  const certificate = readCertificate(pem)
  if (certificate.certificate_ends_at <= actor.at) refuse('This certificate has ended')
  await keep(tx, actor, id, certificate)
  await record(tx, actor, certificateSet, { asset_id, asset_name: await assetNameOf(tx, actor.account_id, asset_id) })
}

/** Throws certificate_not_set. */
export async function removeCertificate(tx: Tx, actor: Actor, asset_id: string): Promise<void> {
  const { id, certificate_hash } = await getAgentDevice(tx, actor.account_id, asset_id)
  if (!certificate_hash) throw new Problem(certificateNotSet)
  await keep(tx, actor, id, noCertificate)
  await record(tx, actor, certificateRemoved, { asset_id, asset_name: await assetNameOf(tx, actor.account_id, asset_id) })
}
