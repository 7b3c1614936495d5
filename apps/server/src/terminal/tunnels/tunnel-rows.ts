import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import { tunnelConnectionId, type ConnectionResult, type TunnelEnd } from '@masthead/contract/terminal/tunnel'
import { openTunnel } from '@masthead/contract/terminal/tunnel-operations'
import { systemActor, type AppDb, type Db } from '../../kernel/app.ts'
import { mayStill } from '../may-still.ts'
import { endTunnel, notifyDevice, notifiedAgainAfter } from './change-tunnels.ts'

const heldFor = 10_000 // ms; whoever holds a tunnel says so again well within
/** ms after which a port is tried for again for a tunnel for which none was free. */
export const portAskedAfter = 60_000

type Key = { account_id: string; id: string }

/** Takes a tunnel for this process: the device is here. Undefined: it is over, or of another device. */
export const takeTunnel = (db: AppDb, { id, device_id, holder, at }: { id: string; device_id: string; holder: string; at: Date }) =>
  db.transaction().execute((tx) =>
    tx
      .updateTable('tunnel')
      .set({ held_by: holder, held_until: new Date(at.getTime() + heldFor) })
      .where('id', '=', id)
      .where('device_id', '=', device_id)
      .where('state', '<>', 'ended')
      .where('until', '>', at)
      .returningAll()
      .executeTakeFirst()
  )
export type TunnelRow = NonNullable<Awaited<ReturnType<typeof takeTunnel>>>

/** `no_port`: none was free, and it is reached by its name alone. */
type Reached = { reached_at: string | null; url: string | null; own_port: number | null; no_port: boolean }

/** One that was open without a port waits for its device now, and for no port. */
const waitsForPort = sql<boolean>`no_port and state = 'waiting'`

/** Where it is reached from now on; null: the device is gone, and it waits. Its port stays its own. */
export const noteReached = (db: AppDb, { account_id, id }: Key, holder: string, reached: Reached | null) =>
  db.transaction().execute((tx) =>
    tx
      .updateTable('tunnel')
      .set(
        reached
          ? { state: 'open', ...reached }
          : { state: 'waiting', reached_at: null, url: null, held_by: null, held_until: null, connections_now: 0, no_port: waitsForPort }
      )
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('held_by', '=', holder)
      .where('state', '<>', 'ended')
      .execute()
  )

/** No port was free for it, and it waits for one: its device is notified again once some time has passed. */
export const noteNoPort = (db: AppDb, { account_id, id }: Key, holder: string, at: Date) =>
  db
    .transaction()
    .execute((tx) =>
      tx
        .updateTable('tunnel')
        .set({ state: 'waiting', reached_at: null, no_port: true, told_at: at })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .where('held_by', '=', holder)
        .where('state', '<>', 'ended')
        .execute()
    )

/** Ports of tunnels that are not over, but for one: whoever has the address of one reaches no device of another by it. */
export async function portsOfOthers(db: AppDb, { account_id, id }: Key): Promise<Set<number>> {
  const rows = await db
    .selectFrom('tunnel')
    .select('own_port')
    .where('state', '<>', 'ended')
    .where('own_port', 'is not', null)
    .where((eb) => eb.not(eb.and([eb('account_id', '=', account_id), eb('id', '=', id)])))
    .execute()
  return new Set(rows.map(({ own_port }) => own_port!))
}

type Figures = Key & { bytes_in: number; bytes_out: number; connections: number; connections_now: number; refused: number }

/** Adds what went through tunnels since the last time, and says that they are still held. Answers those that are held elsewhere now. */
export async function noteFigures(db: AppDb, { holder, at }: { holder: string; at: Date }, figures: readonly Figures[]): Promise<string[]> {
  const { rows } = await db.transaction().execute((tx) =>
    sql<{ id: string; held_by: string | null }>`update tunnel t set
        bytes_in = t.bytes_in + given.bytes_in, bytes_out = t.bytes_out + given.bytes_out,
        connections = t.connections + given.connections, refused = t.refused + given.refused,
        connections_now = case when t.state = 'ended' then 0 when t.held_by = ${holder} then given.connections_now else t.connections_now end,
        held_until = case when t.held_by = ${holder} then ${new Date(at.getTime() + heldFor)} else t.held_until end
      from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) as given
        (account_id text, id text, bytes_in bigint, bytes_out bigint, connections int, connections_now int, refused int)
      where t.account_id = given.account_id and t.id = given.id
      returning t.id, t.held_by`.execute(tx)
  )
  return rows.filter(({ held_by }) => held_by !== holder).map(({ id }) => id)
}

export async function addConnection(
  db: AppDb,
  { account_id, id: tunnel_id }: Key,
  { at, from, result, words = null }: { at: Date; from: string; result: ConnectionResult; words?: string | null }
): Promise<string> {
  const id = newId(tunnelConnectionId, at.getTime())
  const ended_at = result === 'open' ? null : at
  await db
    .transaction()
    .execute((tx) =>
      tx.insertInto('tunnel_connection').values({ account_id, tunnel_id, id, at, ended_at, from_ip: from, result, words }).execute()
    )
  return id
}

type Closed = { at: Date; result: ConnectionResult; words?: string | null; bytes_in: number; bytes_out: number }

export const closeConnection = (db: AppDb, { account_id, id: tunnel_id }: Key, id: string, closed: Closed) => {
  const { at, ...rest } = closed
  return db.transaction().execute((tx) =>
    tx
      .updateTable('tunnel_connection')
      .set({ ended_at: at, ...rest })
      .where('account_id', '=', account_id)
      .where('tunnel_id', '=', tunnel_id)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
  )
}

type Standing = Key & {
  asset_id: string
  person_id: string
  ended: boolean
  late: boolean
  signed_out: boolean
  /** The account demands a second factor by now, and the session was opened without. */
  unproved: boolean
  suspended: boolean
  device_gone: boolean
  beside: boolean
}

/**
 * Of tunnels that are held here (`ids`), and of those that nobody holds: those that are to end, and why. `null`: they are over already. `unused`: sessions
 * last used then or before have ended.
 */
export async function findEnding(
  db: AppDb,
  { ids, at, unused, unheld }: { ids: readonly string[]; at: Date; unused: Date; unheld: boolean }
): Promise<(Key & { reason: TunnelEnd | null })[]> {
  const { rows } =
    await sql<Standing>`select t.account_id, t.id, t.asset_id, t.person_id, t.state = 'ended' as ended, t.until <= ${at} as late,
      t.session_id is not null and not exists (select from session s where s.id = t.session_id and s.person_id = t.person_id
        and s.expires_at > ${at} and s.seen_at > ${unused}) as signed_out,
      account.second_factor_demanded_at is not null and exists (select from session s where s.id = t.session_id
        and s.two_factors_at is null) as unproved,
      account.suspended_at is not null as suspended, device.id is null or device.cut_at is not null as device_gone,
      t.address is not null and not account.tunnels_beside as beside
    from tunnel t join account on account.id = t.account_id
    left join device on device.account_id = t.account_id and device.asset_id = t.asset_id and device.id = t.device_id
    where t.id = any(${[...ids]}::text[])
      or ${unheld}::boolean and t.state <> 'ended' and (t.held_until is null or t.held_until <= ${at})`.execute(db)
  const found: (Key & { reason: TunnelEnd | null })[] = []
  for (const row of rows) {
    const reason = await reasonOf(db, row, at)
    if (reason !== undefined) found.push({ account_id: row.account_id, id: row.id, reason })
  }
  return found
}

async function reasonOf(db: Db, row: Standing, at: Date): Promise<TunnelEnd | null | undefined> {
  if (row.ended) return null
  if (row.late) return 'time_over'
  if (row.suspended) return 'account_suspended'
  if (row.signed_out) return 'signed_out'
  if (row.device_gone) return 'device_gone'
  if (row.beside) return 'beside_not_allowed'
  if (row.unproved) return 'not_allowed'
  return (await mayStill(db, row, openTunnel, at)) ? undefined : 'not_allowed'
}

/** Ends a tunnel by itself. */
export const endByItself = (db: AppDb, { account_id, id }: Key, reason: TunnelEnd, at: Date) =>
  db.transaction().execute((tx) => endTunnel(tx, systemActor(account_id, at), id, reason))

/** Notifies again the devices that are connected and have not connected to their tunnel. Writes nothing where none waits. */
export async function notifyWaiting(db: AppDb, at: Date): Promise<void> {
  const before = (ms: number) => new Date(at.getTime() - ms)
  const waiting = sql`select t.account_id, t.id from tunnel t
    join device on device.account_id = t.account_id and device.id = t.device_id
    where t.state <> 'ended' and t.until > ${at} and (t.held_until is null or t.held_until <= ${at})
      and (t.told_at is null
        or t.told_at <= case when t.no_port then ${before(portAskedAfter)}::timestamptz else ${before(notifiedAgainAfter)}::timestamptz end)
      and device.online and device.cut_at is null
    order by t.id limit 100`
  if ((await waiting.execute(db)).rows.length === 0) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ account_id: string; id: string; device_id: string; port: number; address: string | null }>`
      update tunnel set told_at = ${at} where (account_id, id) in (${waiting} for update of t skip locked)
      returning account_id, id, device_id, port, address`.execute(tx)
    for (const row of rows) await notifyDevice(tx, row, at)
  })
}
