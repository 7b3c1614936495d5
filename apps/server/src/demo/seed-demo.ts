import type { TagColor } from '@masthead/contract/tags/tag'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { newId } from '@masthead/contract/kernel/id'
import type * as z from 'zod/mini'
import type { Tx } from '../kernel/app.ts'
import { raiseDemoAlerts } from './alerts.ts'
import { seedBackoffice } from './backoffice.ts'
import { writeDemoCharges, writeDemoDocuments, writeDemoTariff } from './billing/index.ts'
import { writeDemoDeployments } from './core.ts'
import { writeDemoKeys } from './developers.ts'
import { writeDemoEnforcements } from './enforcements.ts'
import { writeDemoEvents } from './events.ts'
import { demoFleet, isRestarted, restartedHoursAgo, type DemoAsset, type DemoBlock } from './fleet.ts'
import { writeDemoGroups } from './groups.ts'
import { writeDemoFleets } from './fleets/fleets.ts'
import { historyOf, sessionsOf, writeHistory } from './history.ts'
import { writePeople } from './people.ts'
import { writeDemoPlaces } from './places.ts'
import { writeDemoPools } from './pools.ts'
import { writeDemoReports } from './reports.ts'
import { writeDemoRules } from './rules.ts'
import { writeTeam } from './team.ts'
import { writeDemoWebhook } from './webhook-receiver.ts'

const day = 86_400_000

const tagColors: Record<string, z.output<typeof TagColor>> = {
  'cold-chain': 'blue',
  eu: 'slate',
  gateway: 'violet',
  retail: 'orange',
  metering: 'teal',
  vision: 'pink',
  logistics: 'brown',
  marine: 'olive',
}

/** Where the simulated network's packet gateways stand; each has an address of its own on this machine. */
export const demoGateways = [
  { name: 'pgw-ams-1', address: '127.0.0.2', regions: ['2'] },
  { name: 'pgw-iad-1', address: '127.0.0.3', regions: ['3', '7'] },
  { name: 'pgw-sin-1', address: '127.0.0.4', regions: ['4', '5'] },
] as const
export const gatewayOf = (asset: DemoAsset) =>
  demoGateways.find(({ regions }) => (regions as readonly string[]).includes(asset.route[0]!.mccmnc[0]!)) ?? demoGateways[0]

const blockWords: Record<DemoBlock, (asset: DemoAsset) => { words: string; clears: string; by: string; hours: number }> = {
  data_limit: ({ limit_bytes }) => ({
    words: `Used all of its ${formatBytes(limit_bytes ?? 0)} for this month`,
    clears: 'On the first day of next month, 12:00 AM UTC, or when the limit is raised',
    by: 'system',
    hours: 44,
  }),
  pool_exhausted: () => ({
    words: 'The data pool is used up',
    clears: 'On the first day of next month, 00:00 UTC, when the term ends, or when the pool gets more data',
    by: 'system',
    hours: 9,
  }),
  imei_mismatch: ({ device }) => ({
    words: `Used in a device that is not accepted, IMEI ${device}`,
    clears: 'When it is back in an accepted device, or when this device is accepted',
    by: 'system',
    hours: 3,
  }),
  staff: () => ({
    words: 'Unusual traffic reported by the operator',
    clears: 'When staff lift the hold',
    by: 'staff',
    hours: 30,
  }),
  asset_off: () => ({ words: 'The asset is switched off', clears: 'When the asset is switched on', by: 'owner@demo.test', hours: 20 }),
}

/** What a new SIM of the demo's account may use for free. */
const demoTestBytes = 5_000_000

/** The block a SIM of the demo stands under, if any. */
const blockOf = (asset: DemoAsset, now: Date): SimBlock[] => {
  if (!asset.block) return []
  const { hours, ...words } = blockWords[asset.block](asset)
  // A limit is reached within its own month, also on the first day of one; a pool within its term.
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  const since = Math.max(
    now.getTime() - hours * 3_600_000,
    asset.block === 'data_limit' || asset.block === 'pool_exhausted' ? month + (now.getTime() - month) * 0.8 : 0
  )
  return [{ code: asset.block, since: new Date(since).toISOString(), ...words }]
}

/** Fills an empty database: people, a fleet in every state and under most blocks, 90 days of usage, what happened meanwhile. */
export async function seedDemo(tx: Tx, now: Date, gatewayIds: Map<string, string>) {
  const people = await writePeople(tx, now)
  const { account_id } = people['owner@demo.test']
  await tx.updateTable('account').set({ test_bytes: demoTestBytes }).where('id', '=', account_id).execute()
  const tags = Object.entries(tagColors).map(([name, color]) => ({ account_id, id: newId('tag', now.getTime() - 200 * day), name, color }))
  await tx.insertInto('tag').values(tags).execute()
  const fleet = demoFleet(now)
  const groupOf = await writeDemoGroups(tx, account_id, now)
  await writeFleet(tx, { account_id, fleet, tags, groupOf }, now)
  await writeDemoPlaces(tx, account_id, fleet, now)
  await writeUsage(tx, account_id, fleet, gatewayIds, now)
  await writeDemoEnforcements(tx, account_id)
  const tag_id = tags.find(({ name }) => name === 'cold-chain')!.id
  await writeDemoKeys(tx, { ...people['owner@demo.test'], email: 'owner@demo.test', tag_id }, now)
  await writeDemoDeployments(tx, { ...people['owner@demo.test'], email: 'owner@demo.test' }, now)
  await writeDemoWebhook(tx, people['owner@demo.test'], now)
  await writeTeam(tx, people, tags, now)
  const staff_id = people['staff@demo.test'].person_id
  await seedBackoffice(tx, { now, account_id, account_email: 'owner@demo.test', staff_id, gateways: gatewayIds, fleet })
  await writeDemoPools(tx, account_id, now)
  await writeDemoTariff(tx, account_id, now)
  await writeDemoCharges(tx, account_id, now)
  await writeDemoDocuments(tx, account_id, now)
  await writeDemoFleets(tx, account_id, fleet, now)
  await writeDemoEvents(
    tx,
    account_id,
    fleet.map((asset) => ({ ...asset, blocks: blockOf(asset, now) })),
    tags,
    now
  )
  await raiseDemoAlerts(tx, account_id, now)
  await writeDemoRules(tx, account_id, now)
  await writeDemoReports(tx, account_id, now)
}

type Fleet = {
  account_id: string
  fleet: readonly DemoAsset[]
  tags: readonly { id: string; name: string }[]
  groupOf: (asset: DemoAsset) => string | null
}

async function writeFleet(tx: Tx, { account_id, fleet, tags, groupOf }: Fleet, now: Date) {
  const at = ({ created_days_ago }: DemoAsset) => new Date(now.getTime() - created_days_ago * day)
  // Delivered in batches, each some days before the first of it was registered.
  const delivered = ({ created_days_ago }: DemoAsset) => new Date(now.getTime() - (Math.ceil(created_days_ago / 30) * 30 + 5) * day)
  await tx
    .insertInto('inventory')
    .values(
      fleet.map((asset) => {
        const { serial, type, iccid, imsi, msisdn, eid, imei, asset_id } = asset
        return {
          serial,
          type,
          iccid,
          imsis: [imsi],
          msisdn,
          eid,
          imei,
          account_id,
          asset_id,
          loaded_at: delivered(asset),
          registered_at: at(asset),
        }
      })
    )
    .execute()
  await tx
    .insertInto('asset')
    .values(
      fleet.map((asset) => ({
        account_id,
        id: asset.asset_id,
        type: asset.type,
        serial: asset.serial,
        name: asset.name,
        created_at: at(asset),
        switched_off_at: asset.block === 'asset_off' ? new Date(blockOf(asset, now)[0]!.since) : null,
        sim_id: null,
        sim_status: null,
      }))
    )
    .execute()
  await tx
    .insertInto('sim')
    .values(
      fleet.map((asset) => {
        const { sim_id, asset_id, iccid, msisdn, eid, imei, device, state, type } = asset
        const began = new Date(Math.min(now.getTime() - 3 * day, at(asset).getTime() + 2 * day))
        const restarted = isRestarted(asset) && new Date(now.getTime() - restartedHoursAgo * 3_600_000)
        return {
          account_id,
          id: sim_id,
          asset_id,
          iccid,
          msisdn,
          eid,
          imei: state === 'ready' ? null : device,
          // Cameras carry much data, so their SIMs are locked to them; those of reefers are watched.
          imei_lock: type === 'alpon_x5_ai' ? ('lock' as const) : type === 'alpon_x4' ? ('watch' as const) : null,
          imeis: type === 'alpon_x5_ai' ? [imei] : [],
          test_bytes: state === 'ready' ? demoTestBytes : null,
          state,
          state_changed_at: restarted || began,
          state_changed_by: restarted ? 'operator@demo.test' : 'owner@demo.test',
          activated_at: state === 'ready' ? null : began,
          group_id: groupOf(asset),
          blocks: JSON.stringify(blockOf(asset, now)),
          created_at: at(asset),
        }
      })
    )
    .execute()
  await tx
    .insertInto('usage_limit')
    .values(
      fleet.flatMap((asset) => {
        const { sim_id, limit_bytes } = asset
        return limit_bytes === null || groupOf(asset) !== null
          ? []
          : [{ account_id, id: newId('limit', now.getTime()), sim_id, period: 'month' as const, bytes: limit_bytes }]
      })
    )
    .execute()
  await tx
    .insertInto('sim_imsi')
    .values(fleet.map(({ imsi, sim_id }) => ({ imsi, account_id, sim_id })))
    .execute()
  const tagId = new Map(tags.map(({ name, id }) => [name, id]))
  await tx
    .insertInto('asset_tag')
    .values(fleet.flatMap(({ asset_id, tags: names }) => names.map((name) => ({ account_id, asset_id, tag_id: tagId.get(name)! }))))
    .execute()
  await stockForRegistration(tx, new Date(now.getTime() - 4 * day))
}

/** A few assets nobody owns yet, so that registering can be tried. */
async function stockForRegistration(tx: Tx, loaded_at: Date) {
  const free = Array.from({ length: 6 }, (_, i) => ({
    serial: `MH-DEMO-${i + 1}`,
    type: (['plastic_sim', 'picolte', 'core', 'alpon_x4', 'alpon_x5_ai', 'axis_gw'] as const)[i]!,
    iccid: `893108201799000000${i + 1}`,
    imsis: [`20408990000000${i + 1}`],
    msisdn: null,
    eid: null,
    imei: null,
    account_id: null,
    asset_id: null,
    loaded_at,
    registered_at: null,
  }))
  await tx.insertInto('inventory').values(free).execute()
  await tx
    .insertInto('inventory')
    .values({ ...free[0]!, serial: 'MH-DEMO-RESERVED', iccid: '8931082017990000099', imsis: [], released_at: null })
    .execute()
}

/** Usage until now; a SIM at its limit has used just that much, then nothing. */
async function writeUsage(tx: Tx, account_id: string, fleet: readonly DemoAsset[], gatewayIds: Map<string, string>, now: Date) {
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  const all = fleet.map((asset) => {
    const [block] = blockOf(asset, now)
    const points = historyOf(asset, now, block ? new Date(block.since) : null)
    const used = points.filter((point) => point.hour.getTime() >= month)
    const sum = used.reduce((total, point) => total + point.bytes_up + point.bytes_down, 0)
    // The runaway stands just below its limit, so that it can be watched reaching it.
    const target =
      asset.block === 'data_limit' ? asset.limit_bytes! * 1.0000182 : asset.pattern === 'runaway' ? asset.limit_bytes! * 0.985 : null
    if (target !== null && sum > 0) {
      for (const point of used) {
        point.bytes_up = Math.ceil((point.bytes_up * target) / sum)
        point.bytes_down = Math.ceil((point.bytes_down * target) / sum)
      }
    }
    return { asset, points, blockedAt: block ? new Date(block.since) : null }
  })
  await writeHistory(
    tx,
    account_id,
    all.flatMap(({ points }) => points),
    now
  )
  const sessions = all.flatMap(({ asset, points, blockedAt }) => {
    const { name } = gatewayOf(asset)
    return sessionsOf(asset, points, { id: gatewayIds.get(name)!, name }, account_id, blockedAt)
  })
  for (let i = 0; i < sessions.length; i += 1000)
    await tx
      .insertInto('data_session')
      .values(sessions.slice(i, i + 1000))
      .execute()
}
