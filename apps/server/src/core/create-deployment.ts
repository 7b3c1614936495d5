import { deploymentId, mostDeployments, type CreateDeploymentBody, type DeploymentOnce } from '@masthead/contract/core/deployment'
import { deploymentCreated } from '@masthead/contract/core/events'
import { deploymentNameTaken, tooManyDeployments } from '@masthead/contract/core/problems'
import { newId } from '@masthead/contract/kernel/id'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../kernel/app.ts'
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
  const network_group_id = await readGroup(tx, actor, body.network_group)
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

/** Gives a deployment a token of its own, beside those that it has. It reaches no asset that whoever has it made does not see. */
export async function addToken(tx: Tx, { account_id, tags, at }: Actor, deployment_id: string): Promise<string> {
  const { token, token_end, hash } = makeDeploymentToken()
  await tx
    .insertInto('core_deployment_token')
    .values({ hash, account_id, deployment_id, token_end, limited_to: [...tags], created_at: at, expires_at: null })
    .execute()
  return token
}

/** The ids of tags given by id or name. A limited member gives their own where they name none, or they would not see the devices. */
export async function readTags(tx: Tx, actor: Actor, words: readonly string[]): Promise<string[]> {
  const tags = (await getTagsByWord(tx, actor, words)).map((tag) => tag.tag_id)
  return tags.length === 0 ? [...actor.tags] : tags
}

export const readGroup = async (tx: Tx, actor: Actor, word: string | null): Promise<string | null> =>
  word === null ? null : (await getGroupByWord(tx, actor, word, 'network_group')).id

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
