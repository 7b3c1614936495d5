import { sql, type RawBuilder } from 'kysely'
import { mostBulkAssets, type BulkRequest } from '@masthead/contract/assets/bulk/bulk'
import type { AlikeAction, BulkAction } from '@masthead/contract/assets/bulk/bulk-action'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { bulkTooMany } from '@masthead/contract/assets/problems'
import { releaseAsset } from '@masthead/contract/assets/sim-operations'
import { agentUpToDate } from '@masthead/contract/devices/agent/problems'
import { configureDevice, updateDevice } from '@masthead/contract/devices/operations'
import type { Permission } from '@masthead/contract/kernel/permission'
import { forbidden, invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type * as z from 'zod/mini'
import { knowTags, matching, needAnswerable, visibleTo, type Viewer } from '../index.ts'
import { actorMay, type Actor, type Db } from '../../kernel/app.ts'
import { offeredAgent } from '../../devices/agent/index.ts'
import type { Config } from '../../kernel/config.ts'
import { getGroupByWord } from '../../network-groups/index.ts'
import { getTagsByWord } from '../../tags/index.ts'
import type { Work } from './wish.ts'

export type Request = z.output<typeof BulkRequest>

const wrong = (field: string, words: string) => new Problem(invalidRequest, words, { fields: { [field]: words } })

/** What is to be done, or why that cannot be asked. */
export async function workOf(
  db: Db,
  config: Pick<Config, 'agentDir'>,
  actor: Actor,
  { action, tags, limit, raise_bytes, imei_lock, network_group, core_config, to }: Request
): Promise<Work> {
  needRight(actor, action)
  const given = { tags, limit, raise_bytes, imei_lock, network_group, core_config, to }
  const needed = needs[action]
  for (const name of Object.keys(given) as (keyof typeof given)[]) {
    if (name === needed && given[name] === undefined) throw wrong(name, missing[name])
    if (name !== needed && given[name] !== undefined) throw wrong(name, `This action takes no ${name}`)
  }
  const params = {
    ...(limit !== undefined && { limit }),
    ...(raise_bytes && { raise_bytes }),
    ...(imei_lock !== undefined && { imei_lock }),
    ...(core_config && { core_config }),
    ...(to !== undefined && { to }),
    ...(action === 'update_agent' && { agent_version: versionOffered(config) }),
    ...(network_group !== undefined && { network_group: await getGroupByWord(db, actor, network_group, 'network_group') }),
  }
  return { action, tags: await getTagsByWord(db, actor, tags ?? []), params }
}

function versionOffered(config: Pick<Config, 'agentDir'>): string {
  const offered = offeredAgent(config)
  if (!offered) throw new Problem(agentUpToDate, 'This server brings no agent')
  return offered.version
}

/** What an action asks for besides the right to change assets. */
export const alsoNeeds: Partial<Record<BulkAction, Permission>> = {
  update_core: updateDevice.access,
  configure_core: configureDevice.access,
  release: releaseAsset.access,
}

/** Throws forbidden. */
export function needRight(actor: Actor, action: AlikeAction): void {
  const needed = alsoNeeds[action]
  if (needed && !actorMay(actor, needed)) throw new Problem(forbidden, `For this you need the permission ${needed} as well`)
}

/** What an action needs besides the assets. */
const needs: Partial<Record<AlikeAction, 'tags' | 'limit' | 'raise_bytes' | 'imei_lock' | 'network_group' | 'core_config' | 'to'>> = {
  add_tags: 'tags',
  remove_tags: 'tags',
  set_limit: 'limit',
  raise_limit: 'raise_bytes',
  imei_lock: 'imei_lock',
  set_network_group: 'network_group',
  configure_core: 'core_config',
  release: 'to',
}
const missing = {
  tags: 'Say which tags',
  limit: 'Say which limit, or null for none of their own',
  raise_bytes: 'Say how many bytes the limits allow',
  imei_lock: 'Say which lock, or null for that of the group',
  network_group: 'Say which network group',
  core_config: 'Say what to change of the configuration',
  to: 'Say whose account they go to, by the e-mail address of its owner, or null for stock',
}

/** The ids of the assets that are meant, as a statement; a name that nothing has stands for itself. One more than may be, where there are more. */
export async function chosenAssets(db: Db, actor: Actor, { asset_ids, filter, except = [] }: Request): Promise<RawBuilder<{ id: string }>> {
  if ((asset_ids === undefined) === (filter === undefined)) throw wrong('asset_ids', 'Name the assets, or choose them by a filter')
  if (asset_ids) return namedAssets(actor, asset_ids)
  const known = await knowTags(db, actor, filter!)
  await needAnswerable(db, actor, known)
  const but = except.length > 0 ? sql`and asset.id <> all(${except}::text[])` : sql``
  return sql`select asset.id from asset where ${matching(actor, known)} ${but} limit ${mostBulkAssets + 1}`
}

function namedAssets(viewer: Viewer, keys: readonly string[]): RawBuilder<{ id: string }> {
  const { account_id } = viewer
  const named = keys.map((key) => {
    const iccid = parseIccid(key)
    return { key, iccids: iccid ? iccidForms(iccid) : [] }
  })
  return sql`select distinct coalesce(found.id, named.key) as id
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as named (key text, iccids text[])
    left join lateral (select asset.id from (select * from asset where id = any(array(
      select named.key
      union all select id from asset where account_id = ${account_id} and lower(serial) = lower(named.key)
      union all select asset_id from sim where iccid = any(named.iccids))) offset 0) asset where ${visibleTo(viewer)} limit 1) found on true`
}

/** Refuses more than one change takes. */
export function needAtMost(total: number): void {
  if (total <= mostBulkAssets) return
  const most = mostBulkAssets.toLocaleString('en')
  throw new Problem(bulkTooMany, `One change takes up to ${most} assets, and more match. Narrow the list by a tag, a type or a search`)
}
