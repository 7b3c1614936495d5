import { startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { registerAsset } from '@masthead/contract/assets/operations'
import { deploymentId, mostDeployments, type CreateDeploymentBody, type DeploymentOnce } from '@masthead/contract/core/deployment'
import { deploymentCreated } from '@masthead/contract/core/events'
import { deploymentNameTaken, tooManyDeployments } from '@masthead/contract/core/problems'
import { newId } from '@masthead/contract/kernel/id'
import { forbidden, invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import { defaultGroup } from '@masthead/contract/network-groups/network-group'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { actorMay, type Actor, type Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getGroupByWord } from '../network-groups/index.ts'
import { getTagsByWord } from '../tags/index.ts'
import { getDeployment } from './deployment-queries.ts'
import { makeDeploymentToken } from './deployment-token.ts'

/** Makes a deployment whose devices become assets of the account. The token is in this answer alone. */
export async function createDeployment(tx: Tx, actor: Actor, body: z.output<typeof CreateDeploymentBody>): Promise<DeploymentOnce> {
  const { name, region, board, max_devices } = body
  const { account_id, at } = actor
  const tags = await readTags(tx, actor, body.tags)
  const network_group_id = await readGroup(tx, actor, { word: body.network_group, before: null })
  const expires_at = readEnd(actor, body.expires_at)
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  await needFreeName(tx, actor, name, null)
  const { count } = await tx
    .selectFrom('core_deployment')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (count >= mostDeployments) throw new Problem(tooManyDeployments)
  const id = newId(deploymentId, at.getTime())
  const made = { name, region, board, tags, network_group_id, max_devices, expires_at }
  await tx
    .insertInto('core_deployment')
    .values({ ...made, account_id, id, created_by: actor.person_id, created_at: at })
    .execute()
  const token = await addToken(tx, actor, id)
  await record(tx, actor, deploymentCreated, { core_deployment_id: id, deployment_name: name })
  return { ...(await getDeployment(tx, actor, id)), token }
}

/**
 * Gives a deployment a token of its own, beside those that it has. It does no more than whoever has it made may do: it reaches no asset that they do
 * not see, and registers none where they may not.
 */
export async function addToken(tx: Tx, actor: Actor, deployment_id: string): Promise<string> {
  const { account_id, tags, at } = actor
  const { token, token_end, hash } = makeDeploymentToken()
  const may = { limited_to: [...tags], may_register: actorMay(actor, registerAsset.access) }
  await tx
    .insertInto('core_deployment_token')
    .values({ hash, account_id, deployment_id, token_end, ...may, created_at: at, expires_at: null })
    .execute()
  return token
}

/** The ids of tags given by id or name. A limited member gives their own where they name none, or they would not see the devices. */
export async function readTags(tx: Tx, actor: Actor, words: readonly string[]): Promise<string[]> {
  const tags = (await getTagsByWord(tx, actor, words)).map((tag) => tag.tag_id)
  return tags.length === 0 ? [...actor.tags] : tags
}

/** To move SIMs between groups: a group itself stays as it is. */
const { access: groupScope } = startBulkChange

/** The id of a group given by id or name, in place of the one `before`; null is the default one. Throws forbidden where it is another and one may not change assets. */
export async function readGroup(tx: Tx, actor: Actor, { word, before }: { word: string | null; before: string | null }) {
  const id = word === null ? null : (await getGroupByWord(tx, actor, word, 'network_group')).id
  if ((id ?? defaultGroup) === (before ?? defaultGroup) || actorMay(actor, groupScope)) return id
  const who = actor.key ? 'This API key needs the scope' : 'You need the permission'
  throw new Problem(forbidden, `${who} ${groupScope} too, because the SIMs of its devices are moved to that network group`)
}

export function readEnd({ at }: Actor, expires_at: string | null): Date | null {
  if (expires_at === null) return null
  const end = new Date(expires_at)
  const words = 'Choose an expiry in the future'
  if (end <= at) throw new Problem(invalidRequest, words, { fields: { expires_at: words } })
  return end
}

export async function needFreeName(tx: Tx, { account_id }: Actor, name: string, but: string | null): Promise<void> {
  const taken = await tx
    .selectFrom('core_deployment')
    .select('id')
    .where('account_id', '=', account_id)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .$if(but !== null, (query) => query.where('id', '<>', but!))
    .executeTakeFirst()
  const words = `There is a CORE deployment "${name}" already`
  if (taken) throw new Problem(deploymentNameTaken, words, { fields: { name: words } })
}
