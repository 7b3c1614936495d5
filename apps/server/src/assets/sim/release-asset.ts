import { sql } from 'kysely'
import { assetReleased } from '@masthead/contract/assets/events'
import { releaseInUse, simActionNotPossible } from '@masthead/contract/assets/problems'
import { invalidRequest, notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record, recordMany } from '../../kernel/record.ts'
import { lockPools } from '../lock-pools.ts'
import { keepPast } from '../remove-asset.ts'
import { anyOf } from '../viewer.ts'

type Wanted = { to: string | null; serial: string }

/**
 * Gives an asset back to stock, or hands it over: then its account and the other one alone may register it, and whoever does so first has it. What it
 * used stays with the account that had it. Throws not_found, invalid_request, release_in_use, sim_wrong_state.
 */
export async function releaseAsset(tx: Tx, actor: Actor, asset_id: string, { to, serial: typed }: Wanted): Promise<void> {
  const { account_id } = actor
  await lockToRelease(tx, actor, [asset_id])
  const asset = await tx
    .selectFrom('asset')
    .select(['serial', 'name'])
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .forUpdate()
    .executeTakeFirst()
  // Whoever had the locks before has let it go.
  if (!asset) throw new Problem(notFound)
  const { serial, name } = asset
  if (typed.toLowerCase() !== serial.toLowerCase()) throw wrong('serial', 'Type the serial number of the asset: it leaves your account')
  const { rows } = await sql<{ kept: Kept | null }>`select ${keptHere} as kept from asset
    where account_id = ${account_id} and id = ${asset_id}`.execute(tx)
  const kept = rows[0]!.kept
  if (kept === 'in_session') throw new Problem(releaseInUse)
  if (kept) throw new Problem(simActionNotPossible, keptWords[kept])
  await letGo(tx, actor, [asset_id], to)
  await record(tx, actor, assetReleased, { asset_id, asset_name: name, serial, to })
}

/** Lets some hundred assets go that nothing keeps (`keptHere`); whoever calls it has locked them by `lockToRelease`. */
export async function releaseAssets(
  tx: Tx,
  actor: Actor,
  assets: readonly { asset_id: string; asset_name: string; serial: string }[],
  to: string | null
): Promise<void> {
  await letGo(
    tx,
    actor,
    assets.map(({ asset_id }) => asset_id),
    to
  )
  await recordMany(
    tx,
    actor,
    assetReleased,
    assets.map(({ asset_id, asset_name, serial }) => ({ asset_id, asset_name, serial, to }))
  )
}

/** The pools first, which SIMs leave, then the stock, as staff do who move it; an asset's row comes after its SIMs'. No session begins meanwhile. */
export async function lockToRelease(tx: Tx, actor: Actor, asset_ids: readonly string[]): Promise<void> {
  const { account_id } = actor
  await lockPools(tx, actor)
  for (const [table, key] of [
    ['inventory', 'serial'],
    ['sim', 'id'],
  ] as const)
    await sql`select from ${sql.table(table)} where account_id = ${account_id} and asset_id = ${anyOf(asset_ids)}
      order by ${sql.ref(key)} for update`.execute(tx)
}

type Kept = 'terminated' | 'held' | 'suspended' | 'in_session'

/**
 * What keeps an asset in its account, as SQL over `asset`; null where it may leave. Registered anew, a terminated SIM would be ready again, nothing would
 * be held against one that staff hold or whose account they suspended, and the gateway of an open session would go on counting for nobody.
 */
export const keptHere = sql<Kept | null>`(select case
    when bool_or(k.state = 'terminated') then 'terminated'
    when bool_or(k.blocks @> '[{"code": "staff"}]') then 'held'
    when exists (select from account where account.id = asset.account_id and account.suspended_at is not null) then 'suspended'
    when bool_or(exists (select from data_session d where d.account_id = k.account_id and d.sim_id = k.id and d.ended_at is null)) then 'in_session' end
  from sim k where k.account_id = asset.account_id and k.asset_id = asset.id)`

const keptWords = {
  terminated: 'A SIM of this asset is terminated for ever. Ask support staff to take the asset back',
  held: 'Support staff hold a SIM of this asset. Ask them to lift the hold, or to take the asset back',
  suspended: 'Your account is suspended, and nothing leaves it until support staff resume it',
}

async function letGo(tx: Tx, { account_id, at }: Actor, asset_ids: readonly string[], to: string | null): Promise<void> {
  await keepPast(tx, account_id, asset_ids)
  await tx.deleteFrom('asset').where('account_id', '=', account_id).where('id', '=', anyOf(asset_ids)).execute()
  await tx
    .updateTable('inventory')
    .set({ account_id: null, asset_id: null, registered_at: null, reserved_for: to, released_by: to === null ? null : account_id })
    .where('account_id', '=', account_id)
    .where('asset_id', '=', anyOf(asset_ids))
    .execute()
  if (to === null) return
  // Of a change of many, one is enough.
  const handed = { email: to, asset_id: asset_ids[0], handed_at: at.toISOString() }
  await addJob(tx, 'notifications.notify_receiver', handed, { key: `notify_receiver ${to}` })
}

const wrong = (field: string, words: string) => new Problem(invalidRequest, words, { fields: { [field]: words } })
