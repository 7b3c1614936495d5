import { esimJobWithdrawn, esimProfileAdded, esimProfileDeleted, esimProfileSwitched } from '@masthead/contract/devices/network/events'
import { esimBusy, esimNotWaiting } from '@masthead/contract/devices/network/problems'
import { esimMayWithdraw, esimWaits, type Network } from '@masthead/contract/devices/network/view'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getAgentDevice } from '../agent/agent-device.ts'
import { apnAfter, assetOf, changeNetwork } from './change-network.ts'
import { getNetwork } from './network-rows.ts'

type Added = { act_code: string; confirmation_code?: string | undefined; name?: string | undefined; apn?: string | undefined }

export async function getEsim(db: Db, { account_id }: Actor, asset_id: string) {
  await getAgentDevice(db, account_id, asset_id)
  const network = await getNetwork(db, account_id, asset_id)
  return { wanted: network.wanted?.profile ?? null, waits: esimWaits(network), reported: network.reported?.esim ?? null }
}

/** Two at once would be one after the other, and the first might never be begun. */
async function refuseBusy(tx: Tx, { account_id }: Actor, asset_id: string) {
  if (esimWaits(await getNetwork(tx, account_id, asset_id))) throw new Problem(esimBusy)
}

/** Throws esim_busy. */
export async function addEsimProfile(tx: Tx, actor: Actor, asset_id: string, added: Added) {
  const { act_code: code, confirmation_code: confirmation, name, apn } = added
  await refuseBusy(tx, actor, asset_id)
  const job = { do: 'add', code, confirmation: confirmation ?? null, name, apn } as const
  await changeNetwork(tx, actor, asset_id, (before, generation) => ({ ...before, esim: { generation, ...job } }), 'esim_job')
  await record(tx, actor, esimProfileAdded, await assetOf(tx, actor, asset_id))
  return getNetwork(tx, actor.account_id, asset_id)
}

/** That of the profile in use, for the way back to it. One with a user or a password is not kept: its password is not reported. */
function apnInUse(reported: Network['reported']): Record<string, string> {
  const iccid = reported?.esim?.profiles.find(({ enabled }) => enabled)?.iccid
  const { name = null, user = null, has_password = false } = reported?.apn ?? {}
  return iccid === undefined || name === null || user !== null || has_password ? {} : { [iccid]: name }
}

export async function updateActiveEsim(tx: Tx, actor: Actor, asset_id: string, { iccid }: { iccid: string }) {
  const { reported } = await getNetwork(tx, actor.account_id, asset_id)
  await changeNetwork(tx, actor, asset_id, (before) => {
    const apn = before.apns[iccid]
    if (apn === undefined) return { ...before, profile: iccid }
    return { ...before, profile: iccid, apn: apnAfter(before.apn, { apn }), apns: { ...apnInUse(reported), ...before.apns } }
  })
  await record(tx, actor, esimProfileSwitched, { ...(await assetOf(tx, actor, asset_id)), iccid })
  return getNetwork(tx, actor.account_id, asset_id)
}

/** Throws esim_busy. */
export async function deleteEsimProfile(tx: Tx, actor: Actor, asset_id: string, { iccid }: { iccid: string }) {
  await refuseBusy(tx, actor, asset_id)
  const next: Parameters<typeof changeNetwork>[3] = (before, generation) => ({
    ...before,
    // What is deleted is not to be switched to any more, which is a change of the settings where it was wanted.
    profile: before.profile === iccid ? null : before.profile,
    apns: Object.fromEntries(Object.entries(before.apns).filter(([each]) => each !== iccid)),
    esim: { generation, do: 'delete', iccid },
  })
  await changeNetwork(tx, actor, asset_id, next, 'esim_job')
  await record(tx, actor, esimProfileDeleted, { ...(await assetOf(tx, actor, asset_id)), iccid })
  return getNetwork(tx, actor.account_id, asset_id)
}

/** Throws device_not_enrolled, esim_not_waiting. */
export async function withdrawEsimJob(tx: Tx, actor: Actor, asset_id: string) {
  await getAgentDevice(tx, actor.account_id, asset_id)
  if (!esimMayWithdraw(await getNetwork(tx, actor.account_id, asset_id), actor.at)) throw new Problem(esimNotWaiting)
  const next: Parameters<typeof changeNetwork>[3] = (before) => {
    // Withdrawn or done meanwhile.
    if (!before.esim) throw new Problem(esimNotWaiting)
    return { ...before, esim: null }
  }
  await changeNetwork(tx, actor, asset_id, next, 'esim_job')
  await record(tx, actor, esimJobWithdrawn, await assetOf(tx, actor, asset_id))
  return getNetwork(tx, actor.account_id, asset_id)
}
