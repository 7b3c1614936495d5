import { type RawBuilder, sql } from 'kysely'
import { acceptsDevice, type ImeiLock } from '@masthead/contract/assets/device'
import { deviceChanged, deviceLearned, simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import type { Tx } from '../../kernel/app.ts'
import { recordSims } from './record-sims.ts'
import { addBlocks, clearBlocks } from './set-blocks.ts'
import type { NamedSim, SimOf } from './sims.ts'

const code = 'imei_mismatch'

/** What applies to a SIM `s`: its own mode, else its group's. */
export const imeiLockOf = (s: string) => `coalesce(${s}.imei_lock, ${s}.imei_lock_default)`

/**
 * As SQL, whom of SIMs `s` a mode would block at once, and whom it would free, as `acceptsDevice` and `holdDevices` say: it blocks where the device that was seen last
 * has a session now.
 */
export function heldByLock(mode: RawBuilder<unknown>) {
  const isRefused = sql`(${mode} = 'lock' and s.imei is not null and cardinality(s.imeis) > 0
    and not exists (select from unnest(s.imeis) one where left(one, 14) = left(s.imei, 14)))`
  const isBlocked = sql`s.blocks @> '[{"code":"imei_mismatch"}]'`
  const isUsed = sql`exists (select from data_session o
    where o.account_id = s.account_id and o.sim_id = s.id and o.ended_at is null and o.imei = s.imei)`
  return { blocked: sql`(${isRefused} and not ${isBlocked} and ${isUsed})`, freed: sql`(not ${isRefused} and ${isBlocked})` }
}

type Device = NamedSim & {
  imei: string | null
  imei_lock: ImeiLock
  imeis: string[]
  is_blocked: boolean
  /** The device seen last has an open session. */
  is_used: boolean
}

const rowsOf = (sims: readonly SimOf[]) =>
  sql`unnest(${sims.map((sim) => sim.account_id)}::text[], ${sims.map((sim) => sim.sim_id)}::text[]) as k(account_id, id)`

/** Locked in the order of their keys, as everywhere. Sessions may begin meanwhile. */
async function lockDevices(tx: Tx, sims: readonly SimOf[]): Promise<Device[]> {
  const { rows } = await sql<Device>`with k as (
      select s.* from ${rowsOf(sims)} join sim s on s.account_id = k.account_id and s.id = k.id
      order by s.account_id, s.id for no key update of s
    ) select k.account_id, k.id as sim_id, k.iccid, k.asset_id, asset.name as asset_name, k.imei, ${sql.raw(imeiLockOf('k'))} as imei_lock, k.imeis,
      k.blocks @> '[{"code":"imei_mismatch"}]' as is_blocked,
      exists (select from data_session o where o.account_id = k.account_id and o.sim_id = k.id and o.ended_at is null and o.imei = k.imei) as is_used
    from k join asset on asset.account_id = k.account_id and asset.id = k.asset_id`.execute(tx)
  return rows
}

/** SIMs that the network reported in a device: records which, notifies of a change, and blocks or unblocks as each SIM's lock says. */
export async function seeDevices(tx: Tx, seen: readonly (SimOf & { imei: string })[], at: Date): Promise<void> {
  if (seen.length === 0) return
  const imeis = new Map(seen.map((sim) => [sim.account_id + sim.sim_id, sim.imei]))
  const devices = (await lockDevices(tx, seen)).map((sim) => {
    const imei = imeis.get(sim.account_id + sim.sim_id)!
    return { ...sim, imei, before: sim.imei, is_learned: sim.imei_lock === 'lock' && sim.imeis.length === 0, is_used: true }
  })
  await sql`update sim s set imei = k.imei, imeis = case when k.is_learned then array[k.imei] else s.imeis end
    from jsonb_to_recordset(${JSON.stringify(devices.map(({ account_id, sim_id, imei, is_learned }) => ({ account_id, sim_id, imei, is_learned })))}::jsonb)
      as k(account_id text, sim_id text, imei text, is_learned boolean)
    where s.account_id = k.account_id and s.id = k.sim_id and (s.imei is distinct from k.imei or k.is_learned)`.execute(tx)
  const named = ({ account_id, sim_id, iccid, asset_id, asset_name, imei }: (typeof devices)[number]) => ({
    account_id,
    sim_id,
    iccid,
    asset_id,
    asset_name,
    imei,
  })
  const changed = devices.flatMap((sim) =>
    sim.before !== null && sim.before !== sim.imei ? [{ ...named(sim), old_imei: sim.before, watched: sim.imei_lock === 'watch' }] : []
  )
  const [watched, others] = [changed.filter((sim) => sim.watched), changed.filter((sim) => !sim.watched)]
  await recordSims(tx, at, deviceChanged, watched)
  // Nobody is alerted: a hundred thousand SIMs that come in other devices than their stock says would be as many jobs that do nothing.
  await recordSims(tx, at, { ...deviceChanged, effects: [] }, others)
  await recordSims(tx, at, deviceLearned, devices.filter((sim) => sim.is_learned).map(named))
  await holdDevices(tx, devices, at)
}

/** Decides anew which of some SIMs are blocked for their device, once their locks were changed. */
async function decideDevices(tx: Tx, sims: readonly SimOf[], at: Date): Promise<void> {
  await holdDevices(tx, await lockDevices(tx, sims), at)
}

/** A device that is not accepted and not in use now is no reason for a block: another one may be what comes next. */
async function holdDevices(tx: Tx, devices: readonly Device[], at: Date) {
  const refused = devices.filter((sim) => sim.imei !== null && !acceptsDevice(sim, sim.imei))
  const block = (imei: string): SimBlock => ({
    code,
    since: at.toISOString(),
    by: 'system',
    words: `Used in a device that is not accepted, IMEI ${imei}`,
    clears: 'When it is back in an accepted device, or when this device is accepted',
  })
  const toBlock = refused.filter((sim) => sim.is_used && !sim.is_blocked).map((sim) => ({ ...sim, block: block(sim.imei!) }))
  const blocked = await addBlocks(
    tx,
    toBlock.map(({ account_id, sim_id, block }) => ({ account_id, sim_id, block }))
  )
  const words = new Map(toBlock.map((sim) => [sim.account_id + sim.sim_id, sim.block.words]))
  await recordSims(
    tx,
    at,
    simBlocked,
    blocked.map((sim) => ({ ...sim, code, words: words.get(sim.account_id + sim.sim_id)! }))
  )
  const accepted = devices.filter((sim) => sim.is_blocked && !refused.includes(sim))
  const cleared = accepted.length === 0 ? [] : await clearBlocks(tx, accepted, code)
  await recordSims(
    tx,
    at,
    simUnblocked,
    cleared.map((sim) => ({ ...sim, code }))
  )
}

export type LockOf = SimOf & { own: ImeiLock | null; imeis: readonly string[] }

/** Sets the locks of SIMs, and what follows for a device that is in use now. Whoever set them records it. */
export async function setImeiLocks(tx: Tx, sims: readonly LockOf[], at: Date): Promise<void> {
  if (sims.length === 0) return
  await lockDevices(tx, sims)
  await sql`update sim s set imei_lock = k.own, imeis = array(select jsonb_array_elements_text(k.imeis))
    from jsonb_to_recordset(${JSON.stringify(sims)}::jsonb) as k(account_id text, sim_id text, own text, imeis jsonb)
    where s.account_id = k.account_id and s.id = k.sim_id`.execute(tx)
  await decideDevices(tx, sims, at)
}

/** For whoever owns groups: what SIMs without a mode of their own follow from now on. At most some thousand at once. */
export async function setImeiLockDefaults(tx: Tx, sims: readonly SimOf[], mode: ImeiLock, at: Date): Promise<void> {
  if (sims.length === 0) return
  await lockDevices(tx, sims)
  await sql`update sim s set imei_lock_default = ${mode} from ${rowsOf(sims)}
    where s.account_id = k.account_id and s.id = k.id and s.imei_lock_default <> ${mode}`.execute(tx)
  await decideDevices(tx, sims, at)
}
