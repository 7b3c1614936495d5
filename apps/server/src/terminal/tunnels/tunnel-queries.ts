import { sql } from 'kysely'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Tunnel, TunnelConnection } from '@masthead/contract/terminal/tunnel'
import type { listTunnels as listOp } from '@masthead/contract/terminal/tunnel-operations'
import { findAssetIds, visibleTo } from '../../assets/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import '../tables.ts'

const columns = [
  'id',
  'asset_id',
  'asset_name',
  'port',
  'address',
  'tls',
  'encrypted',
  'sources',
  'minutes',
  'state',
  'opened_by',
  'opened_at',
  'until',
  'ended_at',
  'ended_by',
  'end_reason',
  'reached_at',
  'url',
  'bytes_in',
  'bytes_out',
  'connections',
  'connections_now',
  'refused',
] as const

/** Who is limited to tags sees those of assets that they see. */
function tunnelsSeen(db: Db | Tx, viewer: Actor) {
  const all = db.selectFrom('tunnel').where('tunnel.account_id', '=', viewer.account_id)
  return viewer.tags.length === 0
    ? all
    : all.where(
        sql<boolean>`exists (select from asset where asset.account_id = tunnel.account_id and asset.id = tunnel.asset_id and ${visibleTo(viewer)})`
      )
}
/** While its device is away no port is tried for: the tunnel waits for the device alone. */
const noPort = sql<boolean>`tunnel.no_port and (tunnel.state = 'open' or exists (select from device
  where device.account_id = tunnel.account_id and device.id = tunnel.device_id and device.online))`
const inFull = (tunnels: ReturnType<typeof tunnelsSeen>) => tunnels.select(columns).select(noPort.as('no_port'))
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

const shown = (row: Row): Tunnel => ({
  ...row,
  opened_at: row.opened_at.toISOString(),
  until: row.until.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
})

export async function listTunnels(
  db: Db,
  viewer: Actor,
  { asset, state = [], ...query }: Parsed<typeof listOp>['query']
): Promise<Page<Tunnel>> {
  const found = asset === undefined ? null : ((await findAssetIds(db, viewer, [asset]))[0]?.id ?? asset)
  return pageByKey(db, query, {
    name: 'tunnels',
    all: tunnelsSeen(db, viewer)
      .$if(found !== null, (some) => some.where('asset_id', '=', found!))
      .$if(state.length > 0, (some) => some.where('state', 'in', state)),
    keys: [{ of: sql.ref('tunnel.id'), is: 'text' }],
    order: 'desc',
    rows: inFull,
    items: (rows) => rows.map(shown),
  })
}

export async function getTunnel(db: Db | Tx, viewer: Actor, id: string): Promise<Tunnel> {
  const row = await inFull(tunnelsSeen(db, viewer)).where('tunnel.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return shown(row)
}

export async function listTunnelConnections(db: Db, viewer: Actor, id: string, query: PageQuery): Promise<Page<TunnelConnection>> {
  await getTunnel(db, viewer, id)
  return pageByKey(db, query, {
    name: 'tunnel_connections',
    all: db.selectFrom('tunnel_connection').where('account_id', '=', viewer.account_id).where('tunnel_id', '=', id),
    keys: [{ of: sql.ref('tunnel_connection.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.select(['id', 'at', 'ended_at', 'from_ip as from', 'result', 'words', 'bytes_in', 'bytes_out']),
    items: (rows) => rows.map((row) => ({ ...row, at: row.at.toISOString(), ended_at: row.ended_at?.toISOString() ?? null })),
  })
}
