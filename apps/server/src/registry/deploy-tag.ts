import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { DeployedImage } from '@masthead/contract/registry/image'
import { anyOf, visibleTo } from '../assets/index.ts'
import { deviceKnowsImage, findDeployed, listDeployed, updateContainer, type OwnHosts } from '../devices/agent/index.ts'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { getRepositoryHere } from './repository-here.ts'

/** Where images of a repository are deployed. Throws not_found. */
export async function listDeployedOf(db: Db, hosts: OwnHosts, actor: Actor, asked: string, query: PageQuery): Promise<Page<DeployedImage>> {
  const { name: repository } = await getRepositoryHere(db, actor, asked)
  return listDeployed(db, actor, { repository, hosts }, query)
}

/**
 * Has the containers of these devices that name the repository of this registry run the tag; those that run what it named before pull it anew. A device reaches the registry by a name of its own, which stays. Those of
 * devices of a fleet stay as their version has them, and those of devices whose agent is too old for the image stay as they are. Throws not_found, also where somebody does not see one of the assets.
 */
export async function deployTag(
  tx: Tx,
  hosts: OwnHosts,
  actor: Actor,
  asked: { repository: string; tag: string },
  asset_ids: readonly string[]
) {
  const { account_id, repository_id, name } = await getRepositoryHere(tx, actor, asked.repository)
  const tag = await tx
    .selectFrom('registry_tag')
    .select('name')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('name', '=', asked.tag)
    .executeTakeFirst()
  if (!tag) throw new Problem(notFound)
  const ids = [...new Set(asset_ids)]
  const seen = await tx.selectFrom('asset').select('id').where('id', '=', anyOf(ids)).where(visibleTo(actor)).execute()
  if (seen.length < ids.length) throw new Problem(notFound)
  const found = await findDeployed(tx, actor, { repository: name, hosts }, ids)
  const free = found.filter(({ in_fleet }) => !in_fleet)
  const wanted = free.map((each) => ({ ...each, next: `${each.image.slice(0, each.image.indexOf('/'))}/${name}:${tag.name}` }))
  const others = wanted.filter(({ image, next, older }) => image !== next || older)
  let changed = 0
  for (const { asset_id, name: container, next } of others) {
    if (!(await deviceKnowsImage(tx, actor, asset_id, next))) continue
    await updateContainer(tx, actor, asset_id, container, { image: next })
    changed++
  }
  return {
    changed,
    already: free.length - others.length,
    in_fleets: found.length - free.length,
    agents_too_old: others.length - changed,
  }
}
