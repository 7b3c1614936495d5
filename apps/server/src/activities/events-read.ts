import { sql, type RawBuilder, type Selectable } from 'kysely'
import { categoriesRead, moneyField, readsMoney, wideFields } from '@masthead/contract/event-reading'
import type { Actor, Db } from '../kernel/app.ts'
import type { Database } from '../kernel/database/database.ts'

/** Who reads events of an account. `own`: the e-mail of a person who also reads what they did themselves; null for what is no person. */
export type Reader = Pick<Actor, 'account_id' | 'permissions' | 'tags'> & { own: string | null }

type Asking = Pick<Actor, 'account_id' | 'permissions' | 'tags' | 'kind' | 'email'>

/** An API key reads by its scopes alone. */
export const readerOf = ({ account_id, permissions, tags, kind, email }: Asking): Reader => ({
  account_id,
  permissions,
  tags,
  own: kind === 'api_key' ? null : email,
})

type Row = Selectable<Database['event']>

/** `category`: of these alone. `scan`: their tags are on many assets, so the next lines are found soon by looking at each in the order of the list. */
type Options = { category?: readonly string[] | undefined; scan?: boolean; ordered?: boolean }

/**
 * The events that somebody reads: of the categories whose permission they hold, limited by their tags, and what they did themselves. The one
 * rule for the list, its CSV, a single activity, the overview and webhooks; names in the live stream go by the same permissions.
 */
export function eventsRead(db: Db, reader: Reader, { category, scan = false, ordered = true }: Options = {}) {
  const seen = seenBy(reader, scan)
  const parts = reader.permissions === 'all' ? wholeOf(seen, category) : grantedOf(reader, seen, category)
  // Each part comes by an index in the order of the list, so that a page of the few that are one's own is found among a million others.
  const order = ordered ? sql`order by id desc` : sql``
  const all = parts.map((part) => sql`(select * from event where account_id = ${reader.account_id} and ${part} ${order})`)
  return db.selectFrom(sql<Row>`(${sql.join(all, sql` union all `)})`.as('event'))
}

/** From this share of the assets on, `scan` finds a page sooner than the events of each asset sorted. */
const manyFrom = 1 / 200

/** Whether the tags that limit somebody are on many of the account's assets, by kept counts. */
export async function seesMany(db: Db, { account_id, tags }: Pick<Reader, 'account_id' | 'tags'>): Promise<boolean> {
  if (tags.length === 0) return true
  const { rows } = await sql<{ many: boolean }>`select coalesce((select sum(asset_count) from tag
      where account_id = ${account_id} and id = any(${[...tags]}::text[])), 0)
    >= ${manyFrom} * coalesce((select sum(count) from asset_count where account_id = ${account_id}), 0) as many`.execute(db)
  return rows[0]!.many
}

type Condition = RawBuilder<unknown>
const yes = sql`true`
const within = (category: readonly string[] | undefined) => (category?.length ? sql`category = any(${[...category]}::text[])` : yes)

const wholeOf = (seen: readonly Condition[], category: readonly string[] | undefined): Condition[] =>
  seen.map((each) => sql`${within(category)} and ${each}`)

function grantedOf({ permissions, own }: Reader, seen: readonly Condition[], category: readonly string[] | undefined): Condition[] {
  const granted = categoriesRead(permissions)
  const notified = isNotified(permissions)
  const parts = granted
    .filter((one) => !category?.length || category.includes(one))
    .flatMap((one) => seen.map((each) => sql`category = ${one} and ${one === 'notifications' ? notified : yes} and ${each}`))
  if (own === null) return parts.length > 0 ? parts : [sql`false`]
  // Each line once: not what the parts before have.
  const before = sql`category = any(${granted}::text[]) and (category <> 'notifications' or ${notified}) and (${sql.join(seen, sql` or `)})`
  return [...parts, sql`actor_email = ${own} and ${within(category)} and not coalesce(${before}, false)`]
}

/** An event about an alert asks for what the alert asks for, too: its title says all. */
const isNotified = (permissions: Reader['permissions']) =>
  sql`(not jsonb_exists(detail, 'title') or detail->>'needs' = any(${['', ...permissions]}::text[]))`

/** What happened to the assets with one of these tags; and what happened to no asset, where it is about no more than theirs. */
function seenBy({ account_id, tags }: Reader, scan: boolean): Condition[] {
  if (tags.length === 0) return [yes]
  const ids = sql`${[...tags]}::text[]`
  const ofThem = (asset_id: Condition) =>
    sql`exists (select from asset_tag t where t.account_id = ${account_id} and t.asset_id = ${asset_id} and t.tag_id = any(${ids}))`
  const isTheirs = ofThem(sql`event.asset_id`)
  return [
    // Within `case` it stays a question asked of each event; bare, the planner may begin with the assets.
    scan ? sql`case when asset_id is not null then ${isTheirs} else false end` : isTheirs,
    sql`asset_id is null and not jsonb_exists_any(detail, ${[...wideFields]}::text[])
      and (not jsonb_exists(detail, 'tag_id') or detail->>'tag_id' = any(${ids}))
      and (not jsonb_exists(detail, 'bulk_id') or exists (select from bulk_change_part p, unnest(p.asset_ids) a (id)
        where p.account_id = ${account_id} and p.bulk_id = event.detail->>'bulk_id' and ${ofThem(sql`a.id`)}))`,
  ]
}

/** Whether somebody reads an event. */
export async function mayRead(db: Db, reader: Reader, event_id: string): Promise<boolean> {
  if (reader.permissions === 'all' && reader.tags.length === 0) return true
  const found = await eventsRead(db, reader).select('id').where('id', '=', event_id).limit(1).executeTakeFirst()
  return found !== undefined
}

type ReadEvent = Pick<Row, 'category' | 'detail' | 'actor_email'>

/** Events as somebody may read them: without amounts of money where they do not read billing, and with the counts of what they see. */
export const asRead = <Event extends ReadEvent>(db: Db, reader: Reader, events: Event[]): Promise<Event[]> =>
  withTheirCounts(db, reader, readsMoney(reader.permissions) ? events : events.map(withoutMoney))

function withoutMoney<Event extends ReadEvent>(event: Event): Event {
  if (event.category === 'billing' || !(moneyField in event.detail)) return event
  const { [moneyField]: _, ...detail } = event.detail
  return { ...event, detail }
}

/** Of one change of many assets, whoever is limited to tags reads how many of theirs it was, and not where its rows are; who began it, of all. */
async function withTheirCounts<Event extends ReadEvent>(db: Db, { account_id, tags, own }: Reader, events: Event[]): Promise<Event[]> {
  const bulkOf = ({ detail: { bulk_id }, actor_email }: ReadEvent) =>
    tags.length > 0 && typeof bulk_id === 'string' && actor_email !== own ? bulk_id : null
  const ids = events.map(bulkOf).filter((id) => id !== null)
  if (ids.length === 0) return events
  const { rows } = await sql<{ bulk_id: string; total: number; changed: number }>`select p.bulk_id, count(*) as total,
      count(*) filter (where a.outcome in ('changed', 'blocked')) as changed
    from bulk_change_part p, unnest(p.asset_ids, p.outcomes) a (id, outcome)
    where p.account_id = ${account_id} and p.bulk_id = any(${ids}::text[]) and exists (select from asset_tag t
      where t.account_id = p.account_id and t.asset_id = a.id and t.tag_id = any(${[...tags]}::text[]))
    group by p.bulk_id`.execute(db)
  const counts = new Map(rows.map((row) => [row.bulk_id, row]))
  return events.map((event) => {
    const { total = 0, changed = 0 } = counts.get(bulkOf(event) ?? '') ?? {}
    if (bulkOf(event) === null) return event
    const { results: _, ...detail } = event.detail
    return { ...event, detail: { ...detail, total, changed, left: total - changed } }
  })
}
