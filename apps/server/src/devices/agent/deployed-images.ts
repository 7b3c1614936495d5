import { sql } from 'kysely'
import type { DeployedImage } from '@masthead/contract/registry/image'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { anyOf, visibleTo, type Viewer } from '../../assets/index.ts'
import type { Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import type { OwnHosts } from './own-hosts.ts'

/** An image as containers name it: by some of its tags or by its digest, in a repository (`acme/relay`); without these, any of the repository. */
export type Named = { repository: string; hosts: OwnHosts; only?: { tags: readonly string[]; digest: string } }

// What comes before the first slash is a host where it has a dot or a port, or is localhost; `acme/relay` is one of Docker Hub.
const host = sql<string>`lower(split_part(c.image, '/', 1))`
const isHost = sql<boolean>`(${host} ~ '[.:]' or ${host} = 'localhost')`
/** Devices reach the registry by its names, and by addresses that are nobody's name. Of the table `container as c`. */
export const isOwn = (hosts: OwnHosts | 'all') => {
  if (hosts === 'all') return sql<boolean>`true`
  if (hosts === null) return isHost
  const isNamed = sql<boolean>`regexp_replace(${host}, ':\\d+$', '') = any(${[...hosts, 'localhost']}::text[])`
  const isAddress = sql<boolean>`${host} ~ '^(\\d{1,3}\\.){3}\\d{1,3}(:\\d+)?$'`
  return sql<boolean>`(${isHost} and (${isNamed} or ${isAddress}))`
}
const path = sql<string>`substr(c.image, strpos(c.image, '/') + 1)`
/** A container without a tag takes `latest`. */
const tag = sql<string>`case when strpos(${path}, ':') = 0 then 'latest' else split_part(${path}, ':', 2) end`
const digest = sql<string>`split_part(c.image, '@', 2)`

// As the index has it.
const repositoryPart = sql<string>`split_part(split_part(${path}, '@', 1), ':', 1)`
const key = sql<string>`case when ${digest} <> '' then '@' || ${digest} else ${tag} end`

/** The containers that are wanted on the devices that the viewer sees, of some repositories. */
const containersOf = (db: Db, viewer: Viewer, hosts: OwnHosts | 'all', ...repositories: readonly string[]) =>
  db
    .selectFrom('container as c')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'c.account_id').onRef('asset.id', '=', 'c.asset_id'))
    .where('c.account_id', '=', viewer.account_id)
    .where(repositoryPart, '=', anyOf(repositories))
    .where(isOwn(hosts))
    .where(sql<boolean>`${visibleTo(viewer)}`)

/** On how many devices containers name a tag or a digest of a repository: `tag` and `@sha256:…` are the keys. */
export async function countDeployed(db: Db, viewer: Viewer, { repository, hosts }: Omit<Named, 'only'>): Promise<Map<string, number>> {
  const rows = await containersOf(db, viewer, hosts, repository)
    .select(key.as('key'))
    .select(sql<number>`count(distinct c.asset_id)::int`.as('devices'))
    .groupBy('key')
    .execute()
  return new Map(rows.map(({ key, devices }) => [key, devices]))
}

/** On how many devices containers name anything of some repositories, by the repository. */
export async function countDevices(db: Db, viewer: Viewer, hosts: OwnHosts, repositories: readonly string[]): Promise<Map<string, number>> {
  const rows = await containersOf(db, viewer, hosts, ...repositories)
    .select([repositoryPart.as('repository'), sql<number>`count(distinct c.asset_id)::int`.as('devices')])
    .groupBy('repository')
    .execute()
  return new Map(rows.map(({ repository, devices }) => [repository, devices]))
}

/** What a device needs of a repository: a tag, or a digest as `@sha256:…`. */
type Need = { repository: string; key: string; asset_id: string }

/** What containers name of some repositories, and the images that devices said they run: what would be missing. By whatever host, as the names of ours may have been others before. */
export async function neededByDevices(db: Db, viewer: Viewer, repositories: readonly string[]): Promise<Need[]> {
  const needs = containersOf(db, viewer, 'all', ...repositories)
  const named = await needs
    .select([repositoryPart.as('repository'), key.as('key'), 'c.asset_id'])
    .distinct()
    .execute()
  const run = await needs
    .innerJoin('device', (join) => join.onRef('device.account_id', '=', 'c.account_id').onRef('device.asset_id', '=', 'c.asset_id'))
    .innerJoin(
      sql<{ name: string; digest: string | null }>`lateral (select each->>'name' as name, each->>'digest' as digest
        from jsonb_path_query(device.reported, '$.agent.containers[*]') each)`.as('said'),
      (join) => join.onRef('said.name', '=', 'c.name')
    )
    .where('said.digest', 'is not', null)
    .select([repositoryPart.as('repository'), sql<string>`'@' || said.digest`.as('key'), 'c.asset_id'])
    .distinct()
    .execute()
  return [...named, ...run]
}

/** The repository that an image is of, without the host: `acme/relay`. */
export const repositoryOf = (image: string): string => image.slice(image.indexOf('/') + 1).split(/[@:]/)[0]!

/** What an image is named by in a repository, by whatever host: its tag, or its digest as `@sha256:…`; null where it is another's. */
export function keyOfImage(image: string, repository: string): string | null {
  const [named = '', of] = image.slice(image.indexOf('/') + 1).split('@')
  const [name, tag = 'latest'] = named.split(':')
  if (name !== repository) return null
  return of === undefined ? tag : `@${of}`
}

/** Its device gets the versions of a fleet. The pilot is where another version is made; a fleet without a version says nothing of what runs. */
const inFleet = sql<boolean>`exists (select from fleet_asset m join fleet f on f.account_id = m.account_id and f.id = m.fleet_id
  where m.account_id = c.account_id and m.asset_id = c.asset_id and f.version is not null and f.pilot_asset_id is distinct from m.asset_id)`

const withDevices = (containers: ReturnType<typeof containersOf>) =>
  containers.leftJoin('device', (join) => join.onRef('device.account_id', '=', 'c.account_id').onRef('device.asset_id', '=', 'c.asset_id'))

/** Its tag names another image by now than its device said it runs of what is wanted. */
const isOlder = sql<boolean>`coalesce((select t.digest from registry_account a
    join registry_repository r on r.account_id = a.account_id and r.name = substr(${repositoryPart}, strpos(${repositoryPart}, '/') + 1)
    join registry_tag t on t.account_id = r.account_id and t.repository_id = r.id and t.name = ${tag}
    where a.account_id = c.account_id and a.slug = split_part(${repositoryPart}, '/', 1) and ${digest} = '')
  <> (select said->>'digest' from jsonb_path_query(device.reported, '$.agent.containers[*]') said
    where said->>'name' = c.name and said->>'generation' = c.generation::text limit 1), false)`

/** Containers that name a repository, on these of the devices that the viewer sees. */
export const findDeployed = (db: Db, viewer: Viewer, { repository, hosts }: Omit<Named, 'only'>, asset_ids: readonly string[]) =>
  withDevices(containersOf(db, viewer, hosts, repository))
    .where('c.asset_id', '=', anyOf(asset_ids))
    .select(['c.asset_id', 'c.name', 'c.image', inFleet.as('in_fleet'), isOlder.as('older')])
    .orderBy('c.asset_id')
    .orderBy('c.name')
    .execute()

/** Where an image is deployed, by the names of the assets. */
export const listDeployed = (db: Db, viewer: Viewer, { repository, hosts, only }: Named, query: PageQuery): Promise<Page<DeployedImage>> =>
  pageByKey(db, query, {
    name: 'deployed_images',
    // The empty tag is nobody's: an image may have no tags, and a list that is asked for may not be empty.
    all: containersOf(db, viewer, hosts, repository).$if(only !== undefined, (all) =>
      all.where((is) => is.or([is(digest, '=', only!.digest), is.and([is(digest, '=', ''), is(tag, 'in', ['', ...only!.tags])])]))
    ),
    keys: [
      { of: sql`lower(asset.name)`, is: 'text' },
      { of: sql.ref('c.id'), is: 'text' },
    ],
    order: 'asc',
    rows: (page) =>
      withDevices(page)
        .select(['c.asset_id', 'asset.name as asset_name', 'c.name as container', 'c.image', 'c.run'])
        .select([sql<boolean>`coalesce(device.online, false)`.as('online'), inFleet.as('in_fleet'), isOlder.as('older')]),
    items: (rows) => rows,
  })
