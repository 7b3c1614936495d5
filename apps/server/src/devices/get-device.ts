import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { AssetType } from '@masthead/contract/assets/asset'
import type { ConfigRequest } from '@masthead/contract/devices/config'
import { ReportedState, Vitals } from '@masthead/contract/devices/agent/messages'
import { withoutLastLines } from '@masthead/contract/devices/agent/container'
import type { Device, Reported } from '@masthead/contract/devices/device'
import { updateStatusOf, type Maintenance } from '@masthead/contract/devices/maintenance'
import { coreDeviceOnly, noDeviceYet } from '@masthead/contract/devices/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { getAssetId } from '../assets/index.ts'

const shownConfigs = 10

/** The device of an asset that whoever asks may see. */
export async function getDevice(db: Db, actor: Actor, key: string): Promise<{ device: Device | null }> {
  const { account_id } = actor
  const asset_id = await getAssetId(db, actor, key)
  const row = await db
    .selectFrom('device')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .executeTakeFirst()
  if (!row) return { device: null }
  const of = { account_id, device_id: row.id }
  const [configs, maintenance] = await Promise.all([listConfigs(db, of), findMaintenance(db, of)])
  const { id, kind, created_at, since, last_birth_at, last_seen_at, last_ip, cut_at, reported, reported_at, desired } = row
  return {
    device: {
      id,
      kind,
      created_at: created_at.toISOString(),
      presence: last_birth_at === null ? 'never' : row.online ? 'online' : 'offline',
      since: isoOf(since),
      last_seen_at: isoOf(last_seen_at),
      last_ip,
      cut_at: isoOf(cut_at),
      reported: withoutLogs(inShape(reported)),
      reported_at: isoOf(reported_at),
      desired: desired as Record<string, unknown>,
      configs,
      maintenance,
    },
  }
}

export const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** Sections whose shape is ours. */
const shapes: Record<string, Record<string, z.ZodMiniType>> = { agent: ReportedState.shape, vitals: Vitals.shape }

/** A device may say anything: what has another shape than it is to have is not shown, and breaks no screen. */
const inShape = (reported: Reported): Reported =>
  Object.fromEntries(
    Object.entries(reported).map(([section, keys]) => {
      const shape = shapes[section] ?? {}
      return [section, Object.fromEntries(Object.entries(keys).filter(([key, value]) => shape[key]?.safeParse(value).success ?? true))]
    })
  )

/** What containers and the agent printed is for whoever may read logs, by the calls for these. */
function withoutLogs({ answer: _answer, log: _log, ...reported }: Reported): Reported {
  const shown = (_key: string, value: unknown): unknown => (typeof value === 'string' ? withoutLastLines(value) : value)
  return JSON.parse(JSON.stringify(reported, shown)) as Reported
}

type Of = { account_id: string; device_id: string }

async function listConfigs(db: Db, { account_id, device_id }: Of): Promise<ConfigRequest[]> {
  const rows = await db
    .selectFrom('device_config')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('device_id', '=', device_id)
    .orderBy('ts', 'desc')
    .limit(shownConfigs)
    .execute()
  return rows.map(configShown)
}

type ConfigRow = {
  id: string
  configs: Record<string, unknown>
  made_by: string
  created_at: Date
  published_at: Date | null
  sent_at: Date | null
  received_at: Date | null
  acked_at: Date | null
  withdrawn_at: Date | null
}

export const configShown = (row: ConfigRow): ConfigRequest => ({
  id: row.id,
  state: row.withdrawn_at ? 'withdrawn' : row.acked_at ? 'acked' : row.received_at ? 'received' : row.sent_at ? 'sent' : 'created',
  configs: row.configs,
  by: row.made_by,
  created_at: row.created_at.toISOString(),
  published_at: isoOf(row.published_at),
  sent_at: isoOf(row.sent_at),
  received_at: isoOf(row.received_at),
})

async function findMaintenance(db: Db, { account_id, device_id }: Of): Promise<Maintenance | null> {
  const row = await db
    .selectFrom('device_maintenance')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('device_id', '=', device_id)
    .executeTakeFirst()
  if (!row) return null
  const { services, beta, made_by, requested_at, versions, status_at } = row
  // What was kept before it was bounded may be any word.
  const status = row.status === null ? null : updateStatusOf(row.status)
  return { services, beta, by: made_by, requested_at: requested_at.toISOString(), versions, status, status_at: isoOf(status_at) }
}

export type Found = { asset_id: string; asset_name: string; type: AssetType }

/** The asset that is meant, if whoever asks may see it. */
export async function getDeviceAsset(tx: Tx, actor: Actor, key: string): Promise<Found> {
  const asset_id = await getAssetId(tx, actor, key)
  const row = await tx
    .selectFrom('asset')
    .select(['id as asset_id', 'name as asset_name', 'type'])
    .where('account_id', '=', actor.account_id)
    .where('id', '=', asset_id)
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

/** Its CORE device, locked. Throws no_device_yet, core_device_only. */
export async function getCoreForUpdate(tx: Tx, actor: Actor, key: string) {
  const asset = await getDeviceAsset(tx, actor, key)
  const device = await tx
    .selectFrom('device')
    .select(['id', 'kind', 'reported', 'desired'])
    .where('account_id', '=', actor.account_id)
    .where('asset_id', '=', asset.asset_id)
    .modifyEnd(sql`for no key update`)
    .executeTakeFirst()
  if (!device) throw new Problem(noDeviceYet)
  if (device.kind !== 'core') throw new Problem(coreDeviceOnly)
  return { asset, device }
}
