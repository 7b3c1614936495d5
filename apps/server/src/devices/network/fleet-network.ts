import { sql } from 'kysely'
import { ReportedNetwork } from '@masthead/contract/devices/network/reported'
import { anyOf } from '../../assets/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import type { Keyed } from '../../kernel/secrets/secret-keys.ts'
import { changeNetwork } from './change-network.ts'
import { networkSecretsOf } from './network-rows.ts'

/** What devices of a fleet have in common of their networks; null: it is left as each has it. */
export type NetworkContent = {
  priority: string[] | null
  apn: { name: string; user: string | null; password: string | null } | null
}
export const noNetwork: NetworkContent = { priority: null, apn: null }

/** What is wanted of a network, and what became of that on its device. `words`: why it was not done. */
export type NetworkNow = NetworkContent & { state: 'kept' | 'failed' | 'on_its_way'; words: string | null }

/** Of assets of whose networks something was ever wanted. */
export async function networksOf(db: Db & Keyed, account_id: string, asset_ids: readonly string[]): Promise<Map<string, NetworkNow>> {
  const rows = await db
    .selectFrom('device_network')
    .leftJoin('device', (join) =>
      join
        .onRef('device.account_id', '=', 'device_network.account_id')
        .onRef('device.asset_id', '=', 'device_network.asset_id')
        .on('device.kind', '=', 'agent')
    )
    .selectAll('device_network')
    .select(sql<unknown>`device.reported->'network'`.as('reported'))
    .where('device_network.account_id', '=', account_id)
    .where('device_network.asset_id', '=', anyOf(asset_ids))
    .execute()
  return new Map(
    rows.map(({ asset_id, priority, apn, apn_user: user, generation, reported, sealed_secrets }) => {
      const { apn_password: password = null } = networkSecretsOf(db, { asset_id, sealed_secrets })
      const said = ReportedNetwork.safeParse(reported).data
      const change = said?.change?.generation === generation ? said.change : null
      // One that has no program for it says so of the change, once it has heard of that.
      const isOver = change?.state === 'undone' || change?.state === 'failed'
      const state = change?.state === 'kept' ? 'kept' : isOver ? 'failed' : 'on_its_way'
      return [asset_id, { priority, apn: apn === null ? null : { name: apn, user, password }, state, words: change?.words ?? null }]
    })
  )
}

/** Of assets: those whose device has said what its network is like. */
export async function whoSaidNetwork(db: Db, account_id: string, asset_ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('device')
    .select('asset_id')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', anyOf(asset_ids))
    .where(sql<boolean>`jsonb_typeof(reported->'network') = 'object'`)
    .execute()
  return new Set(rows.map(({ asset_id }) => asset_id!))
}

export const saysNothing = ({ priority, apn }: NetworkContent): boolean => priority === null && apn === null

/** Whether all that a version says is wanted. */
export const isWanted = ({ priority, apn }: NetworkContent, now: NetworkContent | undefined) =>
  (priority === null || JSON.stringify(priority) === JSON.stringify(now?.priority ?? null)) &&
  (apn === null || (apn.name === now?.apn?.name && apn.user === now.apn.user && apn.password === now.apn.password))

/** Has a device use its network so, and leaves alone what is not said. What it undid, or could not do, it tries once more. */
export async function applyNetwork(tx: Tx, actor: Actor, asset_id: string, content: NetworkContent): Promise<void> {
  if (saysNothing(content)) return
  const now = (await networksOf(tx, actor.account_id, [asset_id])).get(asset_id)
  if (isWanted(content, now) && now?.state !== 'failed') return
  await changeNetwork(tx, actor, asset_id, (before) => ({
    ...before,
    priority: content.priority ?? before.priority,
    apn: content.apn ?? before.apn,
  }))
}
