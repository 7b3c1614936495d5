import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { newId } from '@masthead/contract/kernel/id'
import { forbidden, Problem } from '@masthead/contract/kernel/problem'
import { tunnelEnded, tunnelOpened, tunnelRulesSet } from '@masthead/contract/terminal/events'
import {
  noTunnelDevice,
  terminalSuspended,
  tooManyTunnels,
  tunnelBeside,
  tunnelNoCertificate,
  tunnelOver,
} from '@masthead/contract/terminal/problems'
import { mostTunnels, tunnelId, tunnelTimeWords, type Tunnel, type TunnelEnd, type TunnelFields } from '@masthead/contract/terminal/tunnel'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { getAssetId } from '../../assets/index.ts'
import { sendDirective } from '../../devices/index.ts'
import type { Actor, App, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getTunnel } from './tunnel-queries.ts'

/** ms that a device has to connect for it, before it is notified again. */
export const notifiedAgainAfter = 20_000

type To = { id: string; account_id: string; device_id: string; port: number; address: string | null }

/** Has the device come for its end of a tunnel. */
export const notifyDevice = (tx: Tx, { id, account_id, device_id, port, address }: To, at: Date) =>
  sendDirective(tx, {
    account_id,
    device_id,
    payload: { command: 'run', data: { id: newId(tunnelId, at.getTime()), do: 'tunnel', tunnel: id, port, address } },
    waitsFor: notifiedAgainAfter,
    at,
  })

const targetOf = ({ port, address }: Pick<To, 'port' | 'address'>) => (address === null ? `port ${port}` : `${address}:${port}`)

type Server = { config: Pick<App['config'], 'tls'> }

/**
 * Opens a tunnel to a port of a device. It begins once the device connects for it. Throws not_found, account_suspended, tunnel_beside, tunnel_no_certificate,
 * no_tunnel_device, too_many_tunnels.
 */
export async function openTunnel(
  tx: Tx,
  { config }: Server,
  actor: Actor,
  key: string,
  fields: z.output<typeof TunnelFields>
): Promise<Tunnel> {
  const { account_id, at } = actor
  const { port, address, tls, encrypted, minutes } = fields
  if (encrypted && config.tls === null) throw new Problem(tunnelNoCertificate)
  const sources = [...new Set(fields.sources)]
  const asset_id = await getAssetId(tx, actor, key)
  // Locked, so that two at once do not make one too many.
  const account = await tx
    .selectFrom('account')
    .select(['suspended_at', 'tunnels_beside'])
    .where('id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (account.suspended_at) throw new Problem(terminalSuspended)
  if (address !== null && !account.tunnels_beside) throw new Problem(tunnelBeside)
  const device = await tx
    .selectFrom('device')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'device.account_id').onRef('asset.id', '=', 'device.asset_id'))
    .select(['device.id', 'device.online', 'asset.name'])
    .where('device.account_id', '=', account_id)
    .where('device.asset_id', '=', asset_id)
    .where('device.kind', '=', 'agent')
    .where('device.cut_at', 'is', null)
    .executeTakeFirst()
  if (!device) throw new Problem(noTunnelDevice)
  const { rows } = await sql<{
    here: number
    own: number
    all: number
  }>`select count(*) filter (where device_id = ${device.id})::int here, count(*) filter (where person_id = ${actor.person_id})::int own,
      count(*)::int "all"
    from tunnel where account_id = ${account_id} and state <> 'ended'`.execute(tx)
  const { here, own, all } = rows[0]!
  if (here >= mostTunnels.device || own >= mostTunnels.person || all >= mostTunnels.account) throw new Problem(tooManyTunnels)
  const id = newId(tunnelId, at.getTime())
  const to = { account_id, id, device_id: device.id, port, address }
  await tx
    .insertInto('tunnel')
    .values({
      ...to,
      asset_id,
      asset_name: device.name,
      tls,
      encrypted,
      sources,
      minutes,
      person_id: actor.person_id,
      session_id: actor.session_id ?? null,
      opened_by: actor.email,
      opened_at: at,
      until: new Date(at.getTime() + minutes * 60_000),
      told_at: device.online ? at : null,
    })
    .execute()
  if (device.online) await notifyDevice(tx, to, at)
  const named = { asset_id, asset_name: device.name, tunnel_id: id, target: targetOf(to) }
  await record(tx, actor, tunnelOpened, { ...named, for_time: tunnelTimeWords(minutes), sources })
  return getTunnel(tx, actor, id)
}

/** Writes once that a tunnel is over, and says so in the activities. Whoever holds it cuts its connections within a second. False: it was over already. */
export async function endTunnel(tx: Tx, actor: Actor, id: string, reason: TunnelEnd): Promise<boolean> {
  const row = await tx
    .updateTable('tunnel')
    .set({
      state: 'ended',
      ended_at: actor.at,
      ended_by: actor.kind === 'system' ? null : actor.email,
      end_reason: reason,
      reached_at: null,
      url: null,
    })
    .set({ connections_now: 0, no_port: false })
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .where('state', '<>', 'ended')
    .returning(['asset_id', 'asset_name', 'opened_by', 'port', 'address', 'connections', 'bytes_in', 'bytes_out'])
    .executeTakeFirst()
  if (!row) return false
  const { asset_id, asset_name, opened_by, connections, bytes_in, bytes_out } = row
  const named = { asset_id, asset_name, tunnel_id: id, target: targetOf(row), opened_by, reason }
  await record(tx, actor, tunnelEnded, { ...named, connections, data: formatBytes(bytes_in + bytes_out) })
  return true
}

/** Throws not_found, tunnel_over. */
export async function revokeTunnel(tx: Tx, actor: Actor, id: string): Promise<Tunnel> {
  await getTunnel(tx, actor, id)
  if (!(await endTunnel(tx, actor, id, 'revoked'))) throw new Problem(tunnelOver)
  return getTunnel(tx, actor, id)
}

type Rules = { beside: boolean; limited: boolean; certificate: boolean }

export async function getTunnelRules(db: Db, { config }: Server, { account_id, tags }: Pick<Actor, 'account_id' | 'tags'>): Promise<Rules> {
  const { tunnels_beside } = await db.selectFrom('account').select('tunnels_beside').where('id', '=', account_id).executeTakeFirstOrThrow()
  return { beside: tunnels_beside, limited: tags.length > 0, certificate: config.tls !== null }
}

/** Taken back, it closes the tunnels that lead beside their device. Set as it is already, it changes nothing. Throws forbidden for a limited member. */
export async function updateTunnelRules(tx: Tx, { config }: Server, actor: Actor, beside: boolean): Promise<Rules> {
  const { account_id, tags } = actor
  if (tags.length > 0) throw new Problem(forbidden, 'Your access is limited to some tags, and this is for all devices')
  const set = { beside, limited: false, certificate: config.tls !== null }
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ tunnels_beside: beside })
    .where('id', '=', account_id)
    .where('tunnels_beside', '<>', beside)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return set
  await record(tx, actor, tunnelRulesSet, { beside })
  if (beside) return set
  const led = await tx
    .selectFrom('tunnel')
    .select('id')
    .where('account_id', '=', account_id)
    .where('state', '<>', 'ended')
    .where('address', 'is not', null)
    .orderBy('id')
    .execute()
  for (const { id } of led) await endTunnel(tx, actor, id, 'beside_not_allowed')
  return set
}
