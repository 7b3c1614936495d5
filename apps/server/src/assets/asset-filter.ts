import { isIP } from 'node:net'
import { sql, type Expression, type SqlBool } from 'kysely'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import type { AssetFilter } from '@masthead/contract/assets/operations'
import { silentAfterSeconds } from '@masthead/contract/assets/sim'
import { alertShare } from '@masthead/contract/usage/bytes'
import type * as z from 'zod/mini'
import type { Db } from '../kernel/app.ts'
import { visibleTo, type Viewer } from './viewer.ts'

export type Filter = z.output<typeof AssetFilter>
type Condition = Expression<SqlBool>

/** The assets a viewer sees that match. The counter's join costs nothing where no sort needs it: the planner drops it. */
export function matchingAssets(db: Db, viewer: Viewer, filter: Filter) {
  let assets = db
    .selectFrom('asset')
    .leftJoin('sim_counter as counter', (join) =>
      join.onRef('counter.account_id', '=', 'asset.account_id').onRef('counter.sim_id', '=', 'asset.sim_id')
    )
    .where(visibleTo(viewer))
  for (const condition of conditionsOf(viewer, filter)) assets = assets.where(condition)
  return assets
}

/** Whether the kept counts of assets know how many match. */
export const isCounted = (viewer: Viewer, { search, tag, state, online, attention }: Filter): boolean =>
  viewer.tags.length === 0 && !search && !tag && !state && !online && !attention

function* conditionsOf(viewer: Viewer, { search, tag, type, sim_status, state, online, attention }: Filter): Generator<Condition> {
  if (type) yield sql`asset.type = any(${type}::text[])`
  if (sim_status) yield sql`asset.sim_status = any(${sim_status}::text[])`
  // The status is the state, but where a block stands.
  if (state) {
    yield sql`(asset.sim_status = any(${state}::text[]) or asset.sim_status = 'blocked' and exists (
      select from sim where sim.account_id = asset.account_id and sim.id = asset.sim_id and sim.state = any(${state}::text[])))`
  }
  if (tag) yield hasAnyTag(viewer, tag)
  if (online) yield online === 'true' ? isOnline(viewer) : sql`not ${isOnline(viewer)}`
  if (attention) yield needsAttention(viewer, attention)
  const text = search?.replaceAll('\0', '').trim()
  if (text) yield matches(viewer, text)
}

/** Tags by id or name. A limited member cannot ask about a tag that is not theirs. */
const hasAnyTag = ({ account_id, tags }: Viewer, wanted: readonly string[]): Condition =>
  sql`exists (select from asset_tag t where t.account_id = asset.account_id and t.asset_id = asset.id and t.tag_id = any(array(
    select tag.id from tag where tag.account_id = ${account_id} and (${tags.length === 0} or tag.id = any(${tags}::text[]))
    and (tag.id = any(${wanted}::text[]) or lower(tag.name) = any(array(select lower(w) from unnest(${wanted}::text[]) w))))))`

const hasOpenSession = (condition: Condition): Condition =>
  sql`exists (select from sim join data_session s on s.account_id = sim.account_id and s.sim_id = sim.id
    where sim.account_id = asset.account_id and sim.asset_id = asset.id and s.ended_at is null and not s.superseded and ${condition})`

const heard = ({ at }: Viewer): Condition =>
  sql`s.heard_at >= ${at}::timestamptz - coalesce(3 * s.interim_seconds, ${silentAfterSeconds(null)}) * interval '1 second'`

const isOnline = (viewer: Viewer): Condition => hasOpenSession(heard(viewer))

/** The assets that a counter of the overview counts. */
function needsAttention(viewer: Viewer, attention: NonNullable<Filter['attention']>): Condition {
  if (attention === 'silent') return hasOpenSession(sql`not ${heard(viewer)}`)
  if (attention === 'uncut') return hasOpenSession(sql`s.disconnect->>'answer' in ('nak', 'timeout')`)
  const month = `${viewer.at.toISOString().slice(0, 7)}-01`
  return sql`exists (select from sim join sim_counter c on c.account_id = sim.account_id and c.sim_id = sim.id
    where sim.account_id = asset.account_id and sim.asset_id = asset.id and c.period_start = ${month}::date
    and c.bytes_up + c.bytes_down >= ${alertShare}::float8 * sim.limit_bytes and c.bytes_up + c.bytes_down < sim.limit_bytes)`
}

function matches({ account_id }: Viewer, text: string): Condition {
  // A trigram index knows nothing of two letters; the beginning of a word it finds.
  if (text.length < 3) {
    return sql`(${search(`${escaped(text)}%`)} or ${search(`% ${escaped(text)}%`)})
      and ' ' || lower(asset.name) || ' ' || lower(asset.serial) like lower(${`% ${escaped(text)}%`})`
  }
  const found = spellings(text).map((each) => search(`%${escaped(each)}%`))
  if (isIP(text)) {
    found.push(sql`asset.id = any(array(select s.asset_id from data_session s
      where s.account_id = ${account_id} and s.ip = ${text}::inet and s.ended_at is null))`)
  }
  return sql`(${sql.join(found, sql` or `)})`
}

const search = (pattern: string): Condition => sql`asset.search like lower(${pattern})`
const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** As typed; a number written with blanks, dashes or + also as bare digits; an ICCID with and without its check digit. */
function spellings(text: string): string[] {
  const iccid = parseIccid(text)
  const digits = text.replaceAll(/[\s+().-]/g, '')
  return [...new Set([text, ...(/^\d{3,}$/.test(digits) ? [digits] : []), ...(iccid ? iccidForms(iccid) : [])])]
}
