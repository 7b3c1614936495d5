import { anyOf } from '../../assets/index.ts'
import type { Db } from '../../kernel/app.ts'
import { isOwnImage, repositoryOf, type OwnHosts } from '../../devices/agent/index.ts'

/**
 * Images of the account's repositories that the registry does not have any more, so that no device can download them; and those of other registries, of
 * which nobody here knows whether they are still there. Each names its digest.
 */
export async function findGone(
  db: Db,
  account_id: string,
  images: readonly string[],
  hosts: OwnHosts
): Promise<{ gone_images: string[]; foreign_images: string[] }> {
  const account = await db.selectFrom('registry_account').select('slug').where('account_id', '=', account_id).executeTakeFirst()
  const isOwn = (image: string) => account !== undefined && isOwnImage(image, hosts) && repositoryOf(image).startsWith(`${account.slug}/`)
  const own = images.filter(isOwn)
  const there = await db
    .selectFrom('registry_manifest as m')
    .innerJoin('registry_repository as r', (join) => join.onRef('r.account_id', '=', 'm.account_id').onRef('r.id', '=', 'm.repository_id'))
    .select(['r.name', 'm.digest'])
    .where('m.account_id', '=', account_id)
    .where('r.account_id', '=', account_id)
    .where('r.name', '=', anyOf(own.map((image) => repositoryOf(image).slice(account!.slug.length + 1))))
    .where('m.digest', '=', anyOf(own.map(digestOf)))
    .execute()
  const has = (image: string) =>
    there.some(({ name, digest }) => digest === digestOf(image) && `${account?.slug}/${name}` === repositoryOf(image))
  return { gone_images: own.filter((image) => !has(image)), foreign_images: images.filter((image) => !isOwn(image)) }
}

const digestOf = (image: string) => image.split('@')[1] ?? ''
