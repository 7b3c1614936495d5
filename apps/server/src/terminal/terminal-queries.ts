import { sql } from 'kysely'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Page } from '@masthead/contract/kernel/page'
import type { listTerminals as listTerminalsOp } from '@masthead/contract/terminal/operations'
import type { TerminalSession } from '@masthead/contract/terminal/session'
import { findAssetIds, visibleTo } from '../assets/index.ts'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'

type Query = Parsed<typeof listTerminalsOp>['query']

/** Who is limited to tags sees those of assets that they see; who is not also sees those of assets that are gone. */
function terminalsSeen(db: Db | Tx, viewer: Actor) {
  const all = db.selectFrom('terminal_session').where('terminal_session.account_id', '=', viewer.account_id)
  return viewer.tags.length === 0
    ? all
    : all.where(
        sql<boolean>`exists (select from asset where asset.account_id = terminal_session.account_id
          and asset.id = terminal_session.asset_id and ${visibleTo(viewer)})`
      )
}

const columns = [
  'id',
  'asset_id',
  'asset_name',
  'kind',
  'state',
  'opened_by',
  'watched_by',
  'typed_by',
  'client_ip',
  'requested_at',
  'opened_at',
  'ended_at',
  'end_reason',
  'ended_by',
  'words',
  'bytes_in',
  'bytes_out',
  'recording',
  'recording_until',
  'support_id',
] as const
const inFull = (sessions: ReturnType<typeof terminalsSeen>) => sessions.select(columns)
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

const toTime = (at: Date | null) => at?.toISOString() ?? null
const shown = ({ watched_by, typed_by, ...row }: Row): TerminalSession => ({
  ...row,
  participants: watched_by.map((email) => ({ email, typed: typed_by.includes(email) })),
  requested_at: row.requested_at.toISOString(),
  opened_at: toTime(row.opened_at),
  ended_at: toTime(row.ended_at),
  recording_until: toTime(row.recording_until),
})

export async function listTerminals(db: Db, viewer: Actor, { asset, person, state = [], ...query }: Query): Promise<Page<TerminalSession>> {
  const found = asset === undefined ? null : ((await findAssetIds(db, viewer, [asset]))[0]?.id ?? asset)
  return pageByKey(db, query, {
    name: 'terminals',
    all: terminalsSeen(db, viewer)
      .$if(found !== null, (some) => some.where('asset_id', '=', found!))
      .$if(person !== undefined, (some) => some.where('opened_by', '=', person!.trim().toLowerCase()))
      .$if(state.length > 0, (some) => some.where('state', 'in', state)),
    keys: [{ of: sql.ref('terminal_session.id'), is: 'text' }],
    order: 'desc',
    rows: inFull,
    items: (rows) => rows.map(shown),
  })
}

export async function getTerminal(db: Db | Tx, viewer: Actor, id: string): Promise<TerminalSession> {
  const row = await inFull(terminalsSeen(db, viewer)).where('terminal_session.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return shown(row)
}
