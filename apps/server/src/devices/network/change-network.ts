import { networkPriorityChanged, networkRetried, simAccessChanged } from '@masthead/contract/devices/network/events'
import { apnNotSet, networkNotWanted } from '@masthead/contract/devices/network/problems'
import type { DesiredWifi, EsimJob } from '@masthead/contract/devices/network/settings'
import type { NetworkPriorityBody, SimAccessBody } from '@masthead/contract/devices/network/view'
import { neverSet } from '@masthead/contract/devices/network/view'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getAgentDevice } from '../agent/agent-device.ts'
import { nextRevision, notifyDevice } from '../agent/change-container.ts'
import { encryptNetworkSecrets, findNetworkRow, getNetwork, jobOf, networkSecretsOf } from './network-rows.ts'

type Wanted = {
  priority: string[] | null
  apn: { name: string; user: string | null; password: string | null } | null
  pin: { generation: number; code: string } | null
  wifi: DesiredWifi[] | null
  profile: string | null
  esim: EsimJob | null
  /** Of profiles of its eSIM, by ICCID. */
  apns: Record<string, string>
}

export async function assetOf(tx: Tx, { account_id }: Actor, asset_id: string) {
  const { name } = await tx
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirstOrThrow()
  return { asset_id, asset_name: name }
}

/**
 * Changes what is wanted by a function of what was, and has the device look: as another generation, but for jobs of its eSIM. They have one of their
 * own, and settings that were kept or undone before are not tried anew for them, unless the job changes which profile is wanted.
 */
export async function changeNetwork(
  tx: Tx,
  actor: Actor,
  asset_id: string,
  next: (before: Wanted, generation: number) => Wanted,
  of: 'settings' | 'esim_job' = 'settings'
) {
  const { account_id, at } = actor
  await getAgentDevice(tx, account_id, asset_id)
  const generation = await nextRevision(tx, actor, asset_id)
  const row = await findNetworkRow(tx, account_id, asset_id)
  const secrets = row ? networkSecretsOf(tx, row) : {}
  const before: Wanted = {
    priority: row?.priority ?? null,
    apn: row?.apn ? { name: row.apn, user: row.apn_user, password: secrets.apn_password ?? null } : null,
    pin: row?.pin_generation && secrets.pin ? { generation: row.pin_generation, code: secrets.pin } : null,
    wifi: row?.wifi?.map((each) => ({ ...each, password: secrets.wifi?.[each.ssid] ?? null })) ?? null,
    profile: row?.profile ?? null,
    esim: row?.esim_job ? jobOf(row.esim_job, secrets.esim) : null,
    apns: secrets.apns ?? {},
  }
  const { priority, apn, pin, wifi, profile, esim, apns } = next(before, generation)
  const passwords = Object.fromEntries((wifi ?? []).flatMap(({ ssid, password }) => (password === null ? [] : [[ssid, password]])))
  const kept = {
    ...(apn?.password && { apn_password: apn.password }),
    ...(pin && { pin: pin.code }),
    ...(wifi && { wifi: passwords }),
    ...codeOf(esim),
    apns,
  }
  const keepsSettings = of === 'esim_job' && profile === before.profile
  const values = {
    generation: keepsSettings ? (row?.generation ?? neverSet) : generation,
    priority: priority && JSON.stringify(priority),
    apn: apn?.name ?? null,
    apn_user: apn?.user ?? null,
    has_apn_password: Boolean(apn?.password),
    pin_generation: pin?.generation ?? null,
    profile,
    esim_job: esim && JSON.stringify({ generation: esim.generation, do: esim.do, iccid: esim.do === 'delete' ? esim.iccid : null }),
    wifi: wifi && JSON.stringify(wifi.map(({ password: _, ...shown }) => shown)),
    sealed_secrets: encryptNetworkSecrets(tx, asset_id, JSON.stringify(kept)),
    changed_at: keepsSettings && row ? row.changed_at : at,
    changed_by: keepsSettings && row ? row.changed_by : actor.email,
    // The device has not asked for this yet.
    sent_generation: null,
    sent_at: null,
  }
  await tx
    .insertInto('device_network')
    .values({ account_id, asset_id, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'asset_id']).doUpdateSet(values))
    .execute()
  await notifyDevice(tx, actor, asset_id)
}

function codeOf(job: EsimJob | null) {
  if (job?.do !== 'add') return {}
  const { code, confirmation, name, apn } = job
  return { esim: { code, confirmation, name, apn } }
}

export async function updateNetworkPriority(tx: Tx, actor: Actor, asset_id: string, { interfaces }: NetworkPriorityBody) {
  await changeNetwork(tx, actor, asset_id, (before) => ({ ...before, priority: interfaces }))
  const order = interfaces?.join(', ') ?? 'as the device has it'
  await record(tx, actor, networkPriorityChanged, { ...(await assetOf(tx, actor, asset_id)), order })
  return getNetwork(tx, actor.account_id, asset_id)
}

/** Throws apn_not_set. */
export async function updateSimAccess(tx: Tx, actor: Actor, asset_id: string, body: SimAccessBody) {
  await changeNetwork(tx, actor, asset_id, (before, generation) => ({
    ...before,
    apn: apnAfter(before.apn, body),
    ...(body.pin !== undefined && { pin: body.pin === null ? null : { generation, code: body.pin } }),
  }))
  const changesApn = body.apn !== undefined || body.user !== undefined || body.password !== undefined
  const what = [...(changesApn ? ['the APN'] : []), ...(body.pin === undefined ? [] : ['the SIM PIN'])].join(' and ')
  await record(tx, actor, simAccessChanged, { ...(await assetOf(tx, actor, asset_id)), what })
  return getNetwork(tx, actor.account_id, asset_id)
}

export function apnAfter(before: Wanted['apn'], { apn, user, password }: SimAccessBody): Wanted['apn'] {
  if (apn === null) return null
  const kept = before && (apn === undefined || apn === before.name) ? before : undefined
  const name = apn ?? kept?.name
  if (name === undefined) {
    if (user || password) throw new Problem(apnNotSet)
    return null
  }
  return {
    name,
    user: user === undefined ? (kept?.user ?? null) : user,
    password: password === undefined ? (kept?.password ?? null) : password,
  }
}

/** Throws network_not_wanted. */
export async function retryNetwork(tx: Tx, actor: Actor, asset_id: string) {
  await getAgentDevice(tx, actor.account_id, asset_id)
  if (!(await findNetworkRow(tx, actor.account_id, asset_id))) throw new Problem(networkNotWanted)
  // A PIN that was refused is not given to the SIM once more: each wrong one uses a try.
  await changeNetwork(tx, actor, asset_id, (before) => before)
  await record(tx, actor, networkRetried, await assetOf(tx, actor, asset_id))
  return getNetwork(tx, actor.account_id, asset_id)
}
