import { sql } from 'kysely'
import { simWentLive } from '@masthead/contract/assets/events'
import type { SimBlock, SimState } from '@masthead/contract/assets/sim'
import { switchesOf, type SimOf, wakeSims } from '../assets/service/index.ts'
import { type Tx, systemActor } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { textArray } from './parts/columns.ts'
import type { MeterConnection, Statement } from './meter-connection.ts'
import type { Identity } from './reading.ts'

/** A SIM as the meter needs it. `used` is this month's bytes. */
export type FoundSim = {
  account_id: string
  id: string
  asset_id: string
  state: SimState
  imei: string | null
  limit_bytes: number | null
  blocks: SimBlock[]
  /** What was decided of its asset and its account, in words: the SIM's own row follows. */
  asset_off: string | null
  account_suspended: string | null
  /** When it was registered to its account, in milliseconds since 1970. */
  created_at: number
  used: number
}

type Row = [
  imsi: string | null,
  msisdn: string | null,
  account_id: string,
  id: string,
  asset_id: string,
  state: SimState,
  imei: string | null,
  limit_bytes: number | null,
  blocks: SimBlock[],
  asset_off: string | null,
  account_suspended: string | null,
  created_at: number,
  used: number,
]

/** The IMSI in a User-Name: its digits before any realm. */
export function imsiOfUserName(user_name: string | null): string | null {
  return user_name === null ? null : (/^(\d{14,15})(?:@.*)?$/.exec(user_name)?.[1] ?? null)
}

const decisions = switchesOf('s')

/** SIMs by IMSI and by MSISDN. `$3` is the first day of the month. */
const findSims: Statement = {
  name: 'find_sims',
  text: `select k.imsi, null::text, s.account_id, s.id, s.asset_id, s.state, s.imei, s.limit_bytes, s.blocks, ${decisions.asset_off}, ${decisions.account_suspended},
        (extract(epoch from s.created_at) * 1000)::float8,
        case when c.period_start = $3::date then c.bytes_up::numeric + c.bytes_down else 0 end
      from unnest($1::text[]) as k(imsi) join sim_imsi i on i.imsi = k.imsi join sim s on s.account_id = i.account_id and s.id = i.sim_id
        left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
    union all
    select null, k.msisdn, s.account_id, s.id, s.asset_id, s.state, s.imei, s.limit_bytes, s.blocks, ${decisions.asset_off}, ${decisions.account_suspended},
        (extract(epoch from s.created_at) * 1000)::float8,
        case when c.period_start = $3::date then c.bytes_up::numeric + c.bytes_down else 0 end
      from unnest($2::text[]) as k(msisdn) join sim s on s.msisdn = k.msisdn
        left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id`,
}

/** Finds the SIMs of many identities in one round trip. `month` is the first day of the current one. */
export async function findSimsOf(
  db: MeterConnection,
  identities: readonly Identity[],
  month: string
): Promise<(identity: Identity) => FoundSim | null> {
  const imsis = new Set<string>()
  const msisdns = new Set<string>()
  for (const { imsi, msisdn, user_name } of identities) {
    if (imsi) {
      imsis.add(imsi)
      continue
    }
    if (msisdn) msisdns.add(msisdn)
    const named = imsiOfUserName(user_name)
    if (named) imsis.add(named)
  }
  const rows = await db.run<Row>(findSims, [textArray([...imsis]), textArray([...msisdns]), month])
  const byImsi = new Map<string, FoundSim>()
  const byMsisdn = new Map<string, FoundSim>()
  for (const [
    imsi,
    msisdn,
    account_id,
    id,
    asset_id,
    state,
    imei,
    limit_bytes,
    blocks,
    asset_off,
    account_suspended,
    created_at,
    used,
  ] of rows) {
    const sim = { account_id, id, asset_id, state, imei, limit_bytes, blocks, asset_off, account_suspended, created_at, used }
    if (imsi) byImsi.set(imsi, sim)
    else if (msisdn) byMsisdn.set(msisdn, sim)
  }
  return ({ imsi, msisdn, user_name }) => {
    // An IMSI that we do not know is not overruled by a number that we do: the two contradict each other.
    if (imsi) return byImsi.get(imsi) ?? null
    return (msisdn && byMsisdn.get(msisdn)) || byImsi.get(imsiOfUserName(user_name) ?? '') || null
  }
}

/** A ready or standby SIM that came on the network is active from now on. Others stay as they are. */
export async function goLive(tx: Tx, sims: readonly SimOf[], at: Date): Promise<void> {
  for (const { account_id, ...detail } of await wakeSims(tx, sims, at)) await record(tx, systemActor(account_id, at), simWentLive, detail)
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
