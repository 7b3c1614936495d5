import { sql } from 'kysely'
import { simWentLive } from '@masthead/contract/assets/events'
import { systemActor, type Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'

type SimOf = { account_id: string; sim_id: string }

/** A ready or standby SIM that came on the network is active from now on. Others stay as they are. */
export async function goLive(tx: Tx, sims: readonly SimOf[], at: Date): Promise<void> {
  const accounts = sims.map((sim) => sim.account_id)
  const ids = sims.map((sim) => sim.sim_id)
  const { rows } = await sql<{ account_id: string; sim_id: string; iccid: string; asset_id: string; asset_name: string }>`
    update sim s set state = 'active', state_changed_at = ${at}, state_changed_by = 'system', activated_at = coalesce(s.activated_at, ${at})
    from unnest(${accounts}::text[], ${ids}::text[]) as k(account_id, id), asset a
    where s.account_id = k.account_id and s.id = k.id and s.state in ('ready', 'standby') and a.account_id = s.account_id and a.id = s.asset_id
    returning s.account_id, s.id as sim_id, s.iccid, s.asset_id, a.name as asset_name`.execute(tx)
  for (const { account_id, ...detail } of rows) await record(tx, systemActor(account_id, at), simWentLive, detail)
}

/** Keeps which device each SIM was last seen in. */
export async function keepReportedImeis(tx: Tx, sims: readonly (SimOf & { imei: string })[]): Promise<void> {
  const last = new Map(sims.map((sim) => [sim.account_id + sim.sim_id, sim]))
  const rows = [...last.keys()].sort().map((key) => last.get(key)!)
  await sql`update sim s set imei = k.imei
    from unnest(${rows.map((row) => row.account_id)}::text[], ${rows.map((row) => row.sim_id)}::text[], ${rows.map((row) => row.imei)}::text[])
      as k(account_id, id, imei)
    where s.account_id = k.account_id and s.id = k.id and s.imei is distinct from k.imei`.execute(tx)
}
