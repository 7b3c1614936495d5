import { sql } from 'kysely'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import type { Registry, Repository } from '@masthead/contract/registry/image'
import type { Actor, Db } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { roomOf } from './content/room.ts'
import { suggestSlug } from './content/slug.ts'

const slugOf = async (db: Db, { account_id }: Pick<Actor, 'account_id'>): Promise<string | null> =>
  (await db.selectFrom('registry_account').select('slug').where('account_id', '=', account_id).executeTakeFirst())?.slug ?? null

export async function getRegistry(db: Db, actor: Actor): Promise<Registry> {
  const { account_id } = actor
  const slug = await slugOf(db, actor)
  const { rows } = await sql<{ repositories: number; tags: number }>`select
    (select count(*) from registry_repository where account_id = ${account_id})::int as repositories,
    (select count(*) from registry_tag where account_id = ${account_id})::int as tags`.execute(db)
  return { slug, suggested: slug ?? (await suggestSlug(db, account_id)), ...(await roomOf(db, account_id)), ...rows[0]! }
}

const counted = (at: Date) => ({
  tags: sql<number>`(select count(*)::int from registry_tag t where t.account_id = r.account_id and t.repository_id = r.id)`.as('tags'),
  size_bytes:
    sql<number>`((select coalesce(sum(bytes), 0) from registry_held h where h.account_id = r.account_id and h.repository_id = r.id)
    + (select coalesce(sum(bytes), 0) from registry_manifest m where m.account_id = r.account_id and m.repository_id = r.id))::bigint`.as(
      'size_bytes'
    ),
  pulls_30_days:
    sql<number>`(select coalesce(sum(pulls), 0)::bigint from registry_pull_day d where d.account_id = r.account_id and d.repository_id = r.id
    and d.day > (${at}::timestamptz at time zone 'UTC')::date - 30)`.as('pulls_30_days'),
})

export async function listRepositories(db: Db, actor: Actor, query: PageQuery): Promise<Page<Repository>> {
  const slug = await slugOf(db, actor)
  const { tags, size_bytes, pulls_30_days } = counted(actor.at)
  return pageByKey(db, query, {
    name: 'repositories',
    all: db.selectFrom('registry_repository as r').where('r.account_id', '=', actor.account_id),
    keys: [{ of: sql.ref('r.name'), is: 'text' }],
    order: 'asc',
    rows: (page) =>
      page
        .select(['r.id', 'r.name', 'r.pulls', 'r.created_at', 'r.pushed_at', 'r.pushed_by', 'r.pulled_at'])
        .select([tags, size_bytes, pulls_30_days]),
    items: (rows) =>
      rows.map((row) => ({
        ...row,
        name: `${slug}/${row.name}`,
        created_at: row.created_at.toISOString(),
        pushed_at: row.pushed_at?.toISOString() ?? null,
        pulled_at: row.pulled_at?.toISOString() ?? null,
      })),
  })
}
