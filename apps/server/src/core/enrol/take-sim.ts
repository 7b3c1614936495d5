import { iccidForms } from '@masthead/contract/assets/iccid'
import type { RefusalCode } from '@masthead/contract/core/enrolment'
import { refusal } from '@masthead/contract/core/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import { getSimForUpdate, registerAsset, visibleTo } from '../../assets/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { getGroupOrDefault, moveSims } from '../../network-groups/index.ts'
import { findTagIds } from '../../tags/index.ts'
import type { FoundToken, LockedDeployment } from './find-deployment.ts'

/** What carries a SIM for CORE: a SIM that was sold alone becomes a CORE device when one enrols with it. */
const coreTypes = ['core', 'plastic_sim']
const codeOf: Record<string, RefusalCode> = {
  asset_unknown: 'iccid_unknown',
  asset_taken: 'iccid_not_yours',
  // It is the account's, and not for this token.
  asset_already_yours: 'iccid_not_yours',
  email_not_verified: 'iccid_not_yours',
  asset_reserved: 'iccid_reserved',
}
export type TakenAsset = { asset_id: string; asset_name: string }

/** Of the account's assets those that may enrol with a token. */
export const reachedBy = ({ account_id, limited_to }: FoundToken) => sql<boolean>`${visibleTo({ account_id, tags: limited_to })}`

type Asked = { token: FoundToken; deployment: LockedDeployment; iccid: string }

/**
 * The asset that a SIM is in, of the deployment's account: one that is there as it is, one from stock with the tags and the group of the deployment. Throws what
 * a device is refused for.
 */
export async function takeSim(tx: Tx, actor: Actor, { token, deployment, iccid }: Asked): Promise<TakenAsset> {
  const { account_id } = actor
  const own = await tx
    .selectFrom('sim')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'sim.account_id').onRef('asset.id', '=', 'sim.asset_id'))
    .select(['asset.id as asset_id', 'asset.name as asset_name', 'asset.type'])
    .where('sim.account_id', '=', account_id)
    .where(sql<boolean>`sim.iccid = any(${iccidForms(iccid)}::text[])`)
    .where(reachedBy(token))
    .executeTakeFirst()
  const taken = own ?? (await registerFromStock(tx, actor, { token, deployment, iccid }))
  if (!coreTypes.includes(taken.type)) throw new Problem(refusal('asset_not_core'))
  if (taken.type !== 'core')
    await tx.updateTable('asset').set({ type: 'core' }).where('account_id', '=', account_id).where('id', '=', taken.asset_id).execute()
  return { asset_id: taken.asset_id, asset_name: taken.asset_name }
}

async function registerFromStock(tx: Tx, actor: Actor, { token, deployment, iccid }: Asked) {
  // Before it is looked for: such a token does not show what is in stock.
  if (!token.may_register) throw new Problem(refusal('core_token_registers_none'))
  const { tags, network_group_id } = deployment
  const id = await registerAsset(tx, actor, { token: iccid, tags: await findTagIds(tx, actor, tags) }).catch((error: unknown) => {
    const code = error instanceof Problem ? codeOf[error.kind.code] : undefined
    throw code ? new Problem(refusal(code)) : error
  })
  if (network_group_id !== null) {
    const [sim, group] = [await getSimForUpdate(tx, actor, id), await getGroupOrDefault(tx, actor, network_group_id)]
    if (sim.group_id !== group.id) await moveSims(tx, actor, [sim], group)
  }
  return tx
    .selectFrom('asset')
    .select(['id as asset_id', 'name as asset_name', 'type'])
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
