import { sql } from 'kysely'
import { simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import type { SimBlock } from '@masthead/contract/assets/sim'
import type { StaffAsset } from '@masthead/contract/backoffice/home-operations'
import { simHeldAlready, simNotHeld } from '@masthead/contract/backoffice/problems'
import { simHeld, simReleased } from '@masthead/contract/backoffice/staff-actions'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { getAssetById, getSimForUpdate, listSessions } from '../assets/index.ts'
import { addBlocks, clearBlocks } from '../assets/service/index.ts'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { latestStaffLog } from './staff/staff-log-queries.ts'
import { recordStaff } from './staff/staff-log.ts'
import { needRightsOnThings, whyNotOnThings } from './staff/staff.ts'

type Found = { account_id: string; id: string; name: string; email: string }
const sessionsShown = 20

/** The asset that an id, a serial number or an ICCID names, of whatever account. Throws not_found. */
export async function findAnyAsset(db: Db, key: string): Promise<Found> {
  const iccid = parseIccid(key)
  const { rows } = await sql<Found>`
    select asset.account_id, asset.id, asset.name, owner.email from asset join person owner on owner.account_id = asset.account_id
    where (asset.account_id, asset.id) in (
      select account_id, asset_id from sim where iccid = any(${iccid ? iccidForms(iccid) : []}::text[])
      union all select account_id, asset_id from inventory where lower(serial) = lower(${key}) and asset_id is not null
      union all select account_id, id from asset where serial = ${key}
      union all select account_id, id from asset where id = ${key})
    limit 1`.execute(db)
  if (!rows[0]) throw new Problem(notFound)
  return rows[0]
}

/** All that staff see of an asset. */
export async function getStaffAsset(db: Db, actor: Actor, { account_id, id }: Pick<Found, 'account_id' | 'id'>): Promise<StaffAsset> {
  const viewer = { account_id, tags: [], at: actor.at }
  const [asset, account, stock, sessions, log] = await Promise.all([
    getAssetById(db, viewer, id),
    db
      .selectFrom('account')
      .innerJoin('person as owner', 'owner.account_id', 'account.id')
      .select(['account.id', 'owner.email', 'account.team_name', 'account.suspended_at'])
      .where('account.id', '=', account_id)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('inventory')
      .select(['loaded_at', 'registered_at', 'iccid', 'imsis'])
      .where('account_id', '=', account_id)
      .where('asset_id', '=', id)
      .executeTakeFirst(),
    listSessions(db, viewer, id, { page: 1, page_size: sessionsShown }),
    latestStaffLog(db, { asset_id: id }, sessionsShown),
  ])
  const { suspended_at, id: _, ...owner } = account
  const refused = (await whyNotOnThings(db, actor, account))?.message ?? null
  return {
    asset,
    account: { ...owner, suspended: suspended_at !== null, refused },
    stock: stock ? { ...stock, loaded_at: stock.loaded_at.toISOString(), registered_at: stock.registered_at?.toISOString() ?? null } : null,
    sessions: sessions.items,
    log,
  }
}

/** Takes the service from a SIM, whatever its owner wants of it; its session is cut. Throws not_found, staff_own_account, staff_may_more, sim_held_already. */
export async function holdSim(tx: Tx, actor: Actor, key: string, reason: string): Promise<StaffAsset> {
  const { found, sim } = await getSimOf(tx, actor, key)
  const clears = 'When staff lift the hold'
  const block: SimBlock = { code: 'staff', since: actor.at.toISOString(), by: actor.email, words: reason, clears }
  const [held] = await addBlocks(tx, [{ ...sim, block }])
  if (!held) throw new Problem(simHeldAlready)
  await record(tx, { ...actor, kind: 'staff', account_id: found.account_id }, simBlocked, { ...held, code: 'staff', words: reason })
  await recordHold(tx, actor, found, simHeld, reason)
  return getStaffAsset(tx, actor, found)
}

/** Lifts what holdSim set. Throws not_found, staff_own_account, staff_may_more, sim_not_held. */
export async function releaseSim(tx: Tx, actor: Actor, key: string, reason: string): Promise<StaffAsset> {
  const { found, sim } = await getSimOf(tx, actor, key)
  const [released] = await clearBlocks(tx, [sim], 'staff')
  if (!released) throw new Problem(simNotHeld)
  await record(tx, { ...actor, kind: 'staff', account_id: found.account_id }, simUnblocked, { ...released, code: 'staff' })
  await recordHold(tx, actor, found, simReleased, reason)
  return getStaffAsset(tx, actor, found)
}

const recordHold = (
  tx: Tx,
  actor: Actor,
  { id, name, account_id, email }: Found,
  kind: typeof simHeld | typeof simReleased,
  reason: string
) =>
  recordStaff(
    tx,
    actor,
    kind,
    { asset_id: id, asset_name: name, reason },
    // The customer reads of it as of every block.
    {
      account: { id: account_id, email },
      notified: true,
      asset_id: id,
      target: name,
      reason,
      before: { held: kind !== simHeld },
      after: { held: kind === simHeld },
    }
  )

async function getSimOf(tx: Tx, actor: Actor, key: string) {
  const found = await findAnyAsset(tx, key)
  const { account_id } = found
  await needRightsOnThings(tx, actor, { id: account_id, email: found.email })
  const { sim_id } = await getSimForUpdate(tx, { account_id, tags: [], at: actor.at }, found.id)
  return { found, sim: { account_id, sim_id } }
}
