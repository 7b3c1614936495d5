import { sql } from 'kysely'
import type { Page } from '@masthead/contract/kernel/page'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Registry, Repository, RepositoryOrder, Tag, TagOrder } from '@masthead/contract/registry/image'
import type { listRepositories as listRepositoriesOp, listTags as listTagsOp } from '@masthead/contract/registry/operations'
import type { SeverityCounts } from '@masthead/contract/registry/vulnerability'
import type { SignatureSummary } from '@masthead/contract/registry/signature'
import { patternFor } from '@masthead/contract/registry/removal'
import { anyOf } from '../assets/index.ts'
import type { Actor, Db } from '../kernel/app.ts'
import { countDeployed, countDevices, type OwnHosts } from '../devices/agent/index.ts'
import { containing } from '../kernel/http/like.ts'
import { pageByKey, type Key } from '../kernel/http/page-by-key.ts'
import { countUpToCap } from '../kernel/http/paging.ts'
import { getRepositoryHere, slugOf } from './repository-here.ts'
import { summariesOf } from './attached/signatures.ts'
import { vulnerabilityCounts } from './attached/vulnerabilities.ts'
import { immutableOf, withoutSlug } from './content/immutable.ts'
import { quotaOf } from './content/quota.ts'
import { suggestSlug } from './content/slug.ts'
import type { Repository as InRepository } from './content/repository.ts'

type Own = Pick<Actor, 'account_id'>

export async function getRegistry(db: Db, actor: Actor): Promise<Registry> {
  const { account_id } = actor
  const slug = await slugOf(db, actor)
  const { rows } = await sql<{ repositories: number; tags: number }>`select
    (select count(*) from registry_repository where account_id = ${account_id})::int as repositories,
    (select count(*) from registry_tag where account_id = ${account_id})::int as tags`.execute(db)
  const counts = rows[0]!
  const suggested = slug ?? (await suggestSlug(db, account_id))
  const immutable = await immutableOf(db, account_id)
  return { slug, immutable, can_choose_slug: counts.repositories === 0, suggested, ...(await quotaOf(db, account_id)), ...counts }
}

const repositoriesOf = (db: Db, { account_id }: Own) => db.selectFrom('registry_repository as r').where('r.account_id', '=', account_id)
type Repositories = ReturnType<typeof repositoriesOf>

const figuresOf = (at: Date) => ({
  tags: sql<number>`(select count(*)::int from registry_tag t where t.account_id = r.account_id and t.repository_id = r.id)`,
  size_bytes: sql<number>`((select coalesce(sum(bytes), 0) from registry_held h where h.account_id = r.account_id and h.repository_id = r.id)
    + (select coalesce(sum(bytes), 0) from registry_manifest m where m.account_id = r.account_id and m.repository_id = r.id))::bigint`,
  pulls_30_days: sql<number>`(select coalesce(sum(pulls), 0)::bigint from registry_pull_day d where d.account_id = r.account_id and d.repository_id = r.id
    and d.day > (${at}::timestamptz at time zone 'UTC')::date - 30)`,
})

const inFull = (repositories: Repositories, at: Date) => {
  const { tags, size_bytes, pulls_30_days } = figuresOf(at)
  return repositories
    .select(['r.id', 'r.name', 'r.pulls', 'r.created_at', 'r.pushed_at', 'r.pushed_by', 'r.pulled_at'])
    .select([tags.as('tags'), size_bytes.as('size_bytes'), pulls_30_days.as('pulls_30_days')])
}
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

type For = { actor: Actor; hosts: OwnHosts; slug: string | null }

async function asRepositories(db: Db, { actor, hosts, slug }: For, rows: readonly Row[]): Promise<Repository[]> {
  const named = rows.map((row) => ({ ...row, name: `${slug}/${row.name}` }))
  const devices = await countDevices(
    db,
    actor,
    hosts,
    named.map(({ name }) => name)
  )
  return named.map((row) => ({
    ...row,
    devices: devices.get(row.name) ?? 0,
    created_at: row.created_at.toISOString(),
    pushed_at: row.pushed_at?.toISOString() ?? null,
    pulled_at: row.pulled_at?.toISOString() ?? null,
  }))
}

const orNever = (time: 'r.pushed_at' | 'r.pulled_at' | 'm.pulled_at'): Key => ({
  of: sql`coalesce(${sql.ref(time)}, '1970-01-01'::timestamptz)`,
  is: 'time',
})

/** The figures of one list: how many devices there are was counted before, by the whole name. */
function repositoryOrders({ actor, slug }: For, devices: ReadonlyMap<string, number>): Record<RepositoryOrder, Key> {
  const { tags, size_bytes, pulls_30_days } = figuresOf(actor.at)
  const counted = sql`${JSON.stringify(Object.fromEntries(devices))}::jsonb`
  return {
    name: { of: sql.ref('r.name'), is: 'text' },
    tags: { of: tags, is: 'number' },
    size_bytes: { of: size_bytes, is: 'number' },
    pulls_30_days: { of: pulls_30_days, is: 'number' },
    devices: { of: sql`coalesce((${counted} ->> (${slug}::text || '/' || r.name))::bigint, 0)`, is: 'number' },
    pushed_at: orNever('r.pushed_at'),
    pulled_at: orNever('r.pulled_at'),
  }
}

export async function listRepositories(
  db: Db,
  hosts: OwnHosts,
  actor: Actor,
  query: Parsed<typeof listRepositoriesOp>['query']
): Promise<Page<Repository>> {
  const slug = await slugOf(db, actor)
  const whose = { actor, hosts, slug }
  const order = query.sort.replace(/^-/, '') as RepositoryOrder
  const all = repositoriesOf(db, actor).$if(!!query.search, (of) =>
    of.where(sql`${slug} || '/' || r.name`, 'ilike', containing(query.search!))
  )
  const names = async () => (await all.select('r.name').execute()).map(({ name }) => `${slug}/${name}`)
  const orders = repositoryOrders(whose, order === 'devices' ? await countDevices(db, actor, hosts, await names()) : new Map())
  return pageByKey(db, query, {
    name: `repositories ${query.sort}`,
    all,
    keys: order === 'name' ? [orders.name] : [orders[order], orders.name],
    order: query.sort.startsWith('-') ? 'desc' : 'asc',
    rows: (page) => inFull(page, actor.at),
    items: (rows) => asRepositories(db, whose, rows),
  })
}

export async function getRepository(db: Db, hosts: OwnHosts, actor: Actor, asked: string): Promise<Repository> {
  const { repository_id } = await getRepositoryHere(db, actor, asked)
  const row = await inFull(repositoriesOf(db, actor).where('r.id', '=', repository_id), actor.at).executeTakeFirstOrThrow()
  return (await asRepositories(db, { actor, hosts, slug: await slugOf(db, actor) }, [row]))[0]!
}

const tagsOf = (db: Db, { account_id, repository_id }: InRepository) =>
  db
    .selectFrom('registry_tag as t')
    .innerJoin('registry_manifest as m', (join) =>
      join.onRef('m.account_id', '=', 't.account_id').onRef('m.repository_id', '=', 't.repository_id').onRef('m.digest', '=', 't.digest')
    )
    .where('t.account_id', '=', account_id)
    .where('t.repository_id', '=', repository_id)

/** The same where nothing is asked of the manifests: each tag names one. */
const tagsAlone = (db: Db, { account_id, repository_id }: InRepository) =>
  db
    .selectFrom('registry_tag as t')
    .where('t.account_id', '=', account_id)
    .where('t.repository_id', '=', repository_id) as unknown as ReturnType<typeof tagsOf>

const tagsInFull = (tags: ReturnType<typeof tagsOf>) => tags.select(['t.name', 't.digest', 't.pushed_at', 't.pushed_by', 't.protected'])
type FoundTag = Awaited<ReturnType<ReturnType<typeof tagsInFull>['execute']>>[number]

/** With what their images are: looked up for the tags that are shown, and not for those that a page passes. */
async function withImages(db: Db, { account_id, repository_id }: InRepository, tags: readonly FoundTag[]) {
  const images = await db
    .selectFrom('registry_manifest')
    .select(['digest', 'media_type', 'size_bytes', 'platforms', 'pulled_at', 'pulls'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', anyOf(tags.map(({ digest }) => digest)))
    .execute()
  const known = new Map(images.map((image) => [image.digest, image]))
  // One that was deleted meanwhile has gone with its tags.
  return tags.flatMap((tag) => {
    const image = known.get(tag.digest)
    return image ? [{ ...tag, ...image }] : []
  })
}
type TagRow = Awaited<ReturnType<typeof withImages>>[number]
type Counted = ReadonlyMap<string, number>
/** By the tag itself, and by the digest that it names. */
const devicesOf = (counted: Counted, { name, digest }: Pick<Tag, 'name' | 'digest'>) =>
  (counted.get(name) ?? 0) + (counted.get(`@${digest}`) ?? 0)
type Around = { counted: Counted; immutable: (tag: string) => string | null }
type Beside = { signatures: ReadonlyMap<string, SignatureSummary>; vulnerabilities: ReadonlyMap<string, SeverityCounts> }
const besideOf = async (db: Db, repository: InRepository, rows: readonly TagRow[]): Promise<Beside> => {
  const digests = rows.map(({ digest }) => digest)
  return {
    signatures: await summariesOf(db, repository, digests),
    vulnerabilities: await vulnerabilityCounts(db, repository, digests),
  }
}
const aroundOf = async (db: Db, hosts: OwnHosts, actor: Actor, { account_id, name }: InRepository): Promise<Around> => ({
  counted: await countDeployed(db, actor, { repository: name, hosts }),
  immutable: patternFor(await immutableOf(db, account_id), withoutSlug(name)),
})
const asTag = (row: TagRow, { counted, immutable }: Around, { signatures, vulnerabilities }: Beside): Tag => ({
  ...row,
  immutable: immutable(row.name),
  devices: devicesOf(counted, row),
  signature: signatures.get(row.digest) ?? null,
  vulnerabilities: vulnerabilities.get(row.digest) ?? null,
  pushed_at: row.pushed_at.toISOString(),
  pulled_at: row.pulled_at?.toISOString() ?? null,
})

type Wanted = Pick<Parsed<typeof listTagsOp>['query'], 'search' | 'name'>
const matching = (tags: ReturnType<typeof tagsOf>, { search, name }: Wanted) =>
  tags
    .$if(!!search, (all) =>
      all.where((is) => is.or([is('t.name', 'ilike', containing(search!)), is('t.digest', 'ilike', containing(search!))]))
    )
    .$if(name !== undefined, (all) => all.where('t.name', '=', name!))

/** The names of all that `listTags` lists. */
export const namesOfTags = async (db: Db, repository: InRepository, search: string | undefined): Promise<string[]> =>
  (await matching(tagsAlone(db, repository), { search }).select('t.name').execute()).map(({ name }) => name)

/** Orders for which nothing is asked of the images. */
const ofTheTag: ReadonlySet<TagOrder> = new Set(['pushed_at', 'name', 'digest', 'devices'])

/** The figures of one list: how many devices there are was counted before. */
function tagOrders(counted: Counted): Record<TagOrder, Key> {
  const devices = sql`${JSON.stringify(Object.fromEntries(counted))}::jsonb`
  const first = sql`m.platforms -> 0`
  return {
    pushed_at: { of: sql.ref('t.pushed_at'), is: 'time' },
    name: { of: sql.ref('t.name'), is: 'text' },
    digest: { of: sql.ref('t.digest'), is: 'text' },
    size_bytes: { of: sql.ref('m.size_bytes'), is: 'number' },
    platforms: { of: sql`concat_ws('/', ${first} ->> 'os', ${first} ->> 'architecture', ${first} ->> 'variant')`, is: 'text' },
    devices: {
      of: sql`(coalesce((${devices} ->> t.name)::bigint, 0) + coalesce((${devices} ->> ('@' || t.digest))::bigint, 0))`,
      is: 'number',
    },
    pulled_at: orNever('m.pulled_at'),
    pulls: { of: sql.ref('m.pulls'), is: 'number' },
    security: { of: sql.ref('m.security'), is: 'number' },
  }
}

export async function listTags(
  db: Db,
  hosts: OwnHosts,
  actor: Actor,
  asked: string,
  query: Parsed<typeof listTagsOp>['query']
): Promise<Page<Tag>> {
  const repository = await getRepositoryHere(db, actor, asked)
  const around = await aroundOf(db, hosts, actor, repository)
  const order = query.sort.replace(/^-/, '') as TagOrder
  const orders = tagOrders(around.counted)
  return pageByKey(db, query, {
    name: `tags ${query.sort}`,
    all: matching(ofTheTag.has(order) ? tagsAlone(db, repository) : tagsOf(db, repository), query),
    count: () => countUpToCap(db, matching(tagsAlone(db, repository), query)),
    keys: order === 'name' ? [orders.name] : [orders[order], orders.name],
    order: query.sort.startsWith('-') ? 'desc' : 'asc',
    rows: tagsInFull,
    items: async (found) => {
      const rows = await withImages(db, repository, found)
      const beside = await besideOf(db, repository, rows)
      return rows.map((row) => asTag(row, around, beside))
    },
  })
}

/** Throws not_found. */
export async function getTag(db: Db, hosts: OwnHosts, actor: Actor, repository: InRepository, tag: string): Promise<Tag> {
  const found = await tagsInFull(tagsAlone(db, repository)).where('t.name', '=', tag).execute()
  const [row] = await withImages(db, repository, found)
  if (!row) throw new Problem(notFound)
  return asTag(row, await aroundOf(db, hosts, actor, repository), await besideOf(db, repository, [row]))
}
