import { sql, type SelectQueryBuilder } from 'kysely'
import type { ApiKey, ApiKeyState } from '@masthead/contract/developers/api-key'
import type { listApiKeys as promise } from '@masthead/contract/developers/operations'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import type { Database } from '../kernel/database/database.ts'
import { scopesOf } from './key-rights.ts'
import { containing } from '../kernel/http/like.ts'
import { tagsOf } from '../tags/index.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>
type Query = Parsed<typeof promise>['query']

/** The keys a viewer may know of: all of the account, or for a limited member those limited to some of their tags. */
const keysOf = (db: Db, { account_id, tags }: Viewer) => {
  const all = db.selectFrom('api_key').where('api_key.account_id', '=', account_id)
  return tags.length === 0 ? all : all.where(sql<boolean>`api_key.tags <> '{}' and api_key.tags <@ ${[...tags]}::text[]`)
}

const withRest = <Of>(keys: SelectQueryBuilder<Database, 'api_key', Of>, at: Date) =>
  keys
    .innerJoin('person as maker', 'maker.id', 'api_key.created_by')
    .leftJoin('membership', (join) =>
      join.onRef('membership.account_id', '=', 'api_key.account_id').onRef('membership.person_id', '=', 'maker.id')
    )
    .select(['api_key.id', 'api_key.name', 'api_key.scopes', 'api_key.addresses', 'api_key.expires_at', 'api_key.calls_per_minute'])
    .select(['api_key.disabled_at', 'api_key.created_at', 'api_key.rotated_at', 'api_key.last_used_at', 'api_key.last_used_ip'])
    .select(['maker.email as created_by', 'membership.permissions as member_permissions'])
    .select(sql<boolean>`maker.account_id = api_key.account_id`.as('by_owner'))
    .select(tagsOf('api_key').as('tags'))
    .select(
      sql<
        { prefix: string; expires_at: string | null }[]
      >`(select json_agg(json_build_object('prefix', s.prefix, 'expires_at', s.expires_at)
        order by s.expires_at nulls first) from api_key_secret s where s.account_id = api_key.account_id and s.key_id = api_key.id
        and (s.expires_at is null or s.expires_at > ${at}))`.as('secrets')
    )

type Row = Awaited<ReturnType<ReturnType<typeof withRest>['executeTakeFirstOrThrow']>>

function asApiKey({ by_owner, member_permissions, secrets, disabled_at, ...row }: Row, at: Date): ApiKey {
  const [current, before] = secrets
  const kept = scopesOf(row.scopes, { permissions: by_owner ? 'all' : (member_permissions ?? []), tags: [] })
  return {
    ...row,
    prefix: current!.prefix,
    state: stateOf({ disabled_at, expires_at: row.expires_at }, at),
    lost_scopes: row.scopes.filter((scope) => !kept.includes(scope)),
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    rotated_at: row.rotated_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    previous: before ? { prefix: before.prefix, expires_at: new Date(before.expires_at!).toISOString() } : null,
  }
}

const stateOf = ({ disabled_at, expires_at }: { disabled_at: Date | null; expires_at: Date | null }, at: Date): ApiKeyState =>
  disabled_at ? 'disabled' : expires_at && expires_at <= at ? 'expired' : 'active'

/** A page of keys, newest first. */
export async function listApiKeys(db: Db, viewer: Viewer, query: Query): Promise<Reply<typeof promise>> {
  const { search, state } = query
  const { at } = viewer
  let keys = keysOf(db, viewer)
  if (search) {
    const pattern = containing(search)
    keys = keys.where(
      sql<boolean>`(api_key.name ilike ${pattern} or exists (select from api_key_secret s
        where s.account_id = api_key.account_id and s.key_id = api_key.id and s.prefix ilike ${pattern}))`
    )
  }
  if (state === 'disabled') keys = keys.where('disabled_at', 'is not', null)
  if (state === 'expired') keys = keys.where('disabled_at', 'is', null).where('expires_at', '<=', at)
  if (state === 'active')
    keys = keys.where('disabled_at', 'is', null).where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
  return pageByKey(db, query, {
    name: 'api_keys',
    all: keys,
    keys: [{ of: sql.ref('api_key.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => withRest(page, at),
    items: (rows) => rows.map((row) => asApiKey(row, at)),
  })
}

export async function getApiKey(db: Db, viewer: Viewer, id: string): Promise<ApiKey> {
  const row = await withRest(keysOf(db, viewer), viewer.at).where('api_key.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asApiKey(row, viewer.at)
}

/** The key's own row, locked. */
export async function getApiKeyForUpdate(tx: Tx, viewer: Viewer, id: string) {
  const key = await keysOf(tx, viewer).selectAll('api_key').where('api_key.id', '=', id).forUpdate().executeTakeFirst()
  if (!key) throw new Problem(notFound)
  return key
}
