import { sql } from 'kysely'
import { blockCodes, type BlockCode } from '@masthead/contract/assets/sim'
import type { Db } from '../kernel/app.ts'
import { countCap } from '@masthead/contract/kernel/page'

type Row = { cause: string; title: string; link: string | null; resolved_at: Date | null }
/** Who is to read it: the account, limited by tags where there are any. */
type Viewer = { account_id: string; tags: readonly string[] }

const sharedBlock = /^sim_block:\*:(.+)$/

/**
 * Names the SIMs of alerts that many share one reason for: "reefer-truck-0131 and 4 more have no service: no credits left". They are named when they are read,
 * since each reader may see others, and others are concerned by then. Of who sees none of them the list would be empty: no link.
 */
export async function nameSims<R extends Row>(db: Db, viewer: Viewer, rows: readonly R[]): Promise<R[]> {
  const named: R[] = []
  for (const row of rows) {
    const [, code] = (row.resolved_at === null && sharedBlock.exec(row.cause)) || []
    named.push(code ? { ...row, ...(await namesOf(db, viewer, code as BlockCode)) } : row)
  }
  return named
}

async function namesOf(db: Db, { account_id, tags }: Viewer, code: BlockCode): Promise<{ title?: string; link?: null }> {
  const seen =
    tags.length === 0
      ? sql``
      : sql`and exists (select from asset_tag t where t.account_id = s.account_id and t.asset_id = s.asset_id and t.tag_id = any(${[...tags]}::text[]))`
  const { rows } = await sql<{ name: string; count: number }>`
    with held as (select s.asset_id from sim s where s.account_id = ${account_id} and s.state <> 'terminated' and s.blocks <> '[]'
      and s.blocks @> ${JSON.stringify([{ code }])}::jsonb ${seen} limit ${countCap + 1})
    select a.name, (select count(*)::int from held) as count from asset a join held on a.account_id = ${account_id} and a.id = held.asset_id
      order by a.name, a.id limit 2`.execute(db)
  const [first, second] = rows
  // Theirs have service; the alert is of the account.
  if (!first) return tags.length > 0 ? { title: noServiceWords('SIMs outside your tags', 'have', code), link: null } : {}
  const others =
    first.count > countCap ? `more than ${(countCap - 1).toLocaleString('en')}` : `${(first.count - 1).toLocaleString('en')} more`
  const who = !second ? first.name : first.count === 2 ? `${first.name} and ${second.name}` : `${first.name} and ${others}`
  return { title: noServiceWords(who, second ? 'have' : 'has', code) }
}

/** "reefer-truck-0131 has no service: data limit reached". */
export const noServiceWords = (who: string, has: 'has' | 'have', code: BlockCode) =>
  `${who} ${has} no service: ${blockCodes[code].replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`
