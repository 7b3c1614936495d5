import type { UsageGrouping } from '@masthead/contract/usage/usage'
import type { Db } from '../kernel/app.ts'
import { limitNow } from './limit-now.ts'
import type { Viewer as UsageViewer } from './usage-source.ts'

type Viewer = UsageViewer & { at: Date }

export type GroupLabel = {
  /** What the API calls the group: the asset's id for a SIM; null where it is not known. */
  key: string | null
  label: string
  iccid: string | null
  /** Of a month; null where the SIM has none, or one of a day. */
  limit_bytes: number | null
}

const unknown: Record<UsageGrouping, string> = {
  sim: 'Removed SIM',
  network: 'Unknown network',
  country: 'Unknown country',
  rat: 'Unknown technology',
  tag: 'Untagged',
  fleet: 'In no fleet',
  pool: 'In no pool',
}

const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const plain = (label: string) => ({ label, iccid: null, limit_bytes: null })

/** The words for groups, by their internal keys. */
export async function labelGroups(db: Db, viewer: Viewer, grouping: UsageGrouping, keys: readonly string[]) {
  const found: ReadonlyMap<string, Partial<GroupLabel>> = new Map(await findLabels(db, viewer, grouping, [...keys]))
  return (key: string): GroupLabel => ({ key: key || null, ...plain(key || unknown[grouping]), ...found.get(key) })
}

async function findLabels(
  db: Db,
  { account_id, at }: Viewer,
  grouping: UsageGrouping,
  keys: string[]
): Promise<[string, Partial<GroupLabel>][]> {
  if (keys.length === 0) return []
  if (grouping === 'network') {
    const rows = await db.selectFrom('network').select(['mccmnc', 'name']).where('mccmnc', 'in', keys).execute()
    return rows.map(({ mccmnc, name }) => [mccmnc, { label: name }])
  }
  if (grouping === 'country') return keys.filter(Boolean).map((key) => [key, { label: english.of(key) ?? key }])
  if (grouping === 'tag' || grouping === 'fleet' || grouping === 'pool') {
    const table = grouping === 'pool' ? 'data_pool' : grouping
    const rows = await db.selectFrom(table).select(['id', 'name']).where('account_id', '=', account_id).where('id', 'in', keys).execute()
    return rows.map(({ id, name }) => [id, { label: name }])
  }
  if (grouping === 'rat') return []
  const rows = await db
    .selectFrom('sim')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'sim.account_id').onRef('asset.id', '=', 'sim.asset_id'))
    .leftJoin('sim_limit as l', (join) =>
      join.onRef('l.account_id', '=', 'sim.account_id').onRef('l.sim_id', '=', 'sim.id').on('l.period', '=', 'month')
    )
    .select(['sim.id', 'sim.iccid', limitNow(at).allows.as('limit_bytes'), 'asset.id as asset_id', 'asset.name'])
    .where('sim.account_id', '=', account_id)
    .where('sim.id', 'in', keys)
    .execute()
  const removed: [string, Partial<GroupLabel>][] = keys.map((key) => [key, { key: null, label: unknown.sim }])
  return [
    ...removed,
    ...rows.map(({ id, asset_id, name, ...sim }): [string, Partial<GroupLabel>] => [id, { key: asset_id, label: name, ...sim }]),
  ]
}

/** Codes of the countries we know networks of, whose English name or code has the words. */
export async function countriesNamed(db: Db, search: string): Promise<string[]> {
  const rows = await db.selectFrom('network').select('country').distinct().execute()
  const words = search.toLowerCase()
  return rows
    .map(({ country }) => country)
    .filter((code) => code.toLowerCase() === words || english.of(code)?.toLowerCase().includes(words))
}

/** The largest SIMs with the names of their assets; removed ones are left out. */
export async function describeSims(db: Db, viewer: Viewer, groups: readonly { key: string; bytes: number }[]) {
  const label = await labelGroups(
    db,
    viewer,
    'sim',
    groups.map(({ key }) => key)
  )
  return groups.flatMap(({ key, bytes }) => {
    const { key: asset_id, label: name, iccid, limit_bytes } = label(key)
    return asset_id && iccid ? [{ asset_id, name, iccid, bytes, limit_bytes }] : []
  })
}
