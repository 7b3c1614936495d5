import { sql } from 'kysely'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Page } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Package, Sbom } from '@masthead/contract/registry/sbom'
import type { listPackages as listPackagesOp } from '@masthead/contract/registry/sbom-operations'
import type { Actor, Db } from '../../kernel/app.ts'
import { containing } from '../../kernel/http/like.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { childrenOf } from '../content/children-of.ts'
import { findManifest } from '../content/manifests.ts'
import type { Repository, Within } from '../content/repository.ts'
import { isDigest } from '../protocol/address.ts'
import { getRepositoryHere } from '../repository-here.ts'
import { attachedTo } from './attached-to.ts'

const mostOfOne = 20

export type SbomRow = Omit<Sbom, 'pushed_at'> & { image: string; n: number; pushed_at: Date }

/** Lists of parts of some images, the newest of each first: attached to it and not about another, or about it by their own words. */
export async function findSboms(db: Db, repository: Within, images: readonly string[], most = mostOfOne): Promise<SbomRow[]> {
  if (images.length === 0) return []
  const { account_id, repository_id } = repository
  const { rows } =
    await sql<SbomRow>`select * from (select f.image, s.digest, s.n, s.format, s.format_version, s.made_by, s.packages, s.bytes,
      m.pushed_at, m.pushed_by, row_number() over (partition by f.image order by m.pushed_at desc, s.digest, s.n) as place
    from (
      select a.image, s.digest, s.n from (${attachedTo(repository, images)}) a join registry_sbom s on s.account_id = ${account_id}
        and s.repository_id = ${repository_id} and s.digest = a.digest where s.about = '{}' or a.image = any(s.about)
      union select i.image, s.digest, s.n from unnest(${[...images]}::text[]) as i (image) join registry_sbom s
        on s.about @> array[i.image] where s.account_id = ${account_id} and s.repository_id = ${repository_id}
    ) f
    join registry_sbom s on s.account_id = ${account_id} and s.repository_id = ${repository_id} and s.digest = f.digest and s.n = f.n
    join registry_manifest m on m.account_id = s.account_id and m.repository_id = s.repository_id and m.digest = s.digest) each
    where place <= ${most} order by image, place`.execute(db)
  return rows
}

export const asSbom = ({ digest, format, format_version, made_by, packages, bytes, pushed_at, pushed_by }: SbomRow): Sbom => ({
  digest,
  format,
  format_version,
  made_by,
  packages,
  bytes,
  pushed_at: pushed_at.toISOString(),
  pushed_by,
})

/** The newest list of each image; of an index that has none of its own, those of the images that it names. */
export async function sbomsOf(db: Db, repository: Within, images: readonly string[]): Promise<Map<string, SbomRow[]>> {
  const children = await childrenOf(db, repository, images)
  const rows = await findSboms(db, repository, [...new Set(images.flatMap((image) => [image, ...children(image)]))], 1)
  const own = new Map(rows.map((row) => [row.image, row]))
  return new Map(
    images.map((image) => [image, own.has(image) ? [own.get(image)!] : children(image).flatMap((child) => own.get(child) ?? [])])
  )
}

/** Packages of one list. No list: none. */
export const packagesOf = (db: Db, { account_id, repository_id }: Repository, sbom: Pick<SbomRow, 'digest' | 'n'> | undefined) =>
  db
    .selectFrom('registry_package as p')
    .where('p.account_id', '=', account_id)
    .where('p.repository_id', '=', repository_id)
    .where('p.digest', '=', sbom?.digest ?? '')
    .where('p.n', '=', sbom?.n ?? 0)

type Asked = Parsed<typeof listPackagesOp>['query']

/** Throws not_found. */
export async function listPackages(db: Db, actor: Actor, asked: string, digest: string, query: Asked): Promise<Page<Package>> {
  const repository = await getRepositoryHere(db, actor, asked)
  if (!isDigest(digest) || !(await findManifest(db, repository, digest))) throw new Problem(notFound)
  const [sbom] = await findSboms(db, repository, [digest], 1)
  const { search } = query
  return pageByKey(db, query, {
    name: `packages ${sbom?.digest ?? ''}`,
    all: packagesOf(db, repository, sbom).$if(!!search, (all) =>
      all.where(sql`p.name || ' ' || p.version || ' ' || p.purl || ' ' || p.licence`, 'ilike', containing(search!))
    ),
    keys: [{ of: sql.ref('p.place'), is: 'number' }],
    order: 'asc',
    rows: (page) => page.select(['p.place', 'p.name', 'p.version', 'p.purl', 'p.licence']),
    items: (rows) => rows,
  })
}
