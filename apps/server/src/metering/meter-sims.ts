import { simWentLive } from '@masthead/contract/assets/events'
import { acceptsDevice, type ImeiLock } from '@masthead/contract/assets/device'
import type { SimBlock, SimState } from '@masthead/contract/assets/sim'
import type { NetworkRules } from '@masthead/contract/network-groups/rules'
import { imeiLockOf, recordSims, switchesOf, type SimOf, wakeSims } from '../assets/service/index.ts'
import type { Tx } from '../kernel/app.ts'
import { textArray } from '../kernel/array-literals.ts'
import type { MeterConnection, Statement } from './meter-connection.ts'
import type { Identity } from './reading.ts'

/** A SIM as the meter needs it, with the limit that applies to it now and the bytes used of that. */
export type FoundSim = {
  account_id: string
  id: string
  asset_id: string
  state: SimState
  imei: string | null
  imei_lock: ImeiLock
  imeis: string[]
  limit_bytes: number | null
  limit_used: number
  blocks: SimBlock[]
  /** What was decided of its asset, its account and its pool, in words: the SIM's own row follows. */
  asset_off: string | null
  account_suspended: string | null
  balance: string | null
  pool_exhausted: string | null
  in_pool: boolean
  /** One of its pools gives nothing more, or no credits are left: it may not be wherever the others have no data, or data is charged. Or its account has a limit of prices. */
  pools_may_refuse: boolean
  /** Why its pools, its balance or the price let it not be on the network that was named, in words. */
  pool_refusal: string | null
  /** When it was registered to its account, in milliseconds since 1970. */
  created_at: number
  /** Up to when a feed of records counted for it, in milliseconds since 1970; null: none did. */
  fed_to: number | null
  /** Where it may be, by its network group; null: everywhere, by all technologies. */
  rules: NetworkRules | null
}

type Row = [
  imsi: string | null,
  msisdn: string | null,
  account_id: string,
  id: string,
  asset_id: string,
  state: SimState,
  imei: string | null,
  imei_lock: ImeiLock,
  imeis: string[],
  limit_bytes: number | null,
  limit_used: number,
  blocks: SimBlock[],
  asset_off: string | null,
  account_suspended: string | null,
  balance: string | null,
  pool_exhausted: string | null,
  created_at: number,
  rules: NetworkRules | null,
  pools_may_refuse: boolean,
  fed_to: number | null,
  in_pool: boolean,
]

/** The IMSI in a User-Name: its digits before any realm. */
export function imsiOfUserName(user_name: string | null): string | null {
  return user_name === null ? null : (/^(\d{14,15})(?:@.*)?$/.exec(user_name)?.[1] ?? null)
}

const decisions = switchesOf('s')

/** The rules of the network group of a SIM, by its alias; null where all is allowed. */
export const rulesOf = (
  sim: string
) => `(select json_build_object('name', g.name, 'countries', g.countries, 'networks', g.networks, 'rats', g.rats)
    from network_group g where g.account_id = ${sim}.account_id and g.id = coalesce(${sim}.group_id, 'default') and (g.countries is not null or g.rats is not null))`

/** SIMs by IMSI and by MSISDN. `$3` is today. */
const findSims: Statement = {
  name: 'find_sims',
  text: `select n.imsi, n.msisdn, s.account_id, s.id, s.asset_id, s.state, s.imei, ${imeiLockOf('s')}, s.imeis,
      case when l.action = 'block' then limit_allows(l.bytes, l.raised_bytes, l.raised_period, l.period, $3::date) end,
      coalesce(case when l.action = 'block' then (
        select limit_used(l.period, $3::date, c.day, c.day_up, c.day_down, c.period_start, c.bytes_up, c.bytes_down)
        from sim_counter c where c.account_id = s.account_id and c.sim_id = s.id
      ) end, 0),
      s.blocks, ${decisions.asset_off}, ${decisions.account_suspended}, ${decisions.balance}, ${decisions.pool_exhausted},
      (extract(epoch from s.created_at) * 1000)::float8, ${rulesOf('s')},
      s.pool_id is not null and (exists (select from data_pool_sim m
        join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
        join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
        where m.account_id = s.account_id and m.sim_id = s.id and t.exhausted_at is not null)
        or exists (select from charge_account c where c.account_id = s.account_id and c.used_up_at is not null))
        or exists (select from charge_account c where c.account_id = s.account_id and c.has_free_data)
        or exists (select from balance_rule r where r.account_id = s.account_id and r.most_price_micros is not null and r.price_action = 'refuse'),
      (select (extract(epoch from f.counted_to) * 1000)::float8 from sim_feed f where f.account_id = s.account_id and f.sim_id = s.id),
      s.pool_id is not null
    from (
      select i.imsi, null as msisdn, i.account_id, i.sim_id from unnest($1::text[]) as k(imsi) join sim_imsi i on i.imsi = k.imsi
      union all select null, o.msisdn, o.account_id, o.id from unnest($2::text[]) as k(msisdn) join sim o on o.msisdn = k.msisdn
    ) n join sim s on s.account_id = n.account_id and s.id = n.sim_id
      left join sim_limit l on l.account_id = s.account_id and l.sim_id = s.id`,
}

const findRefusals: Statement = {
  name: 'find_pool_refusals',
  text: `select k.sim_id, k.network, pool_refusal(k.account_id, k.sim_id, k.network, $4::date)
    from unnest($1::text[], $2::text[], $3::text[]) as k(account_id, sim_id, network)`,
}

/** The network that a SIM is asked about. Of one without pools also that none is named: there is a price for it. */
const networkOf = ({ in_pool }: FoundSim, { mccmnc }: Sought) => mccmnc ?? (in_pool ? null : '')

/** Who is meant, and on which network. */
type Sought = Identity & { mccmnc: string | null }

/** Finds the SIMs of many identities in one round trip, and another for those that their pools may refuse. `today` is the day in UTC. */
export async function findSimsOf(
  db: MeterConnection,
  identities: readonly Sought[],
  today: string
): Promise<(identity: Sought) => FoundSim | null> {
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
  const rows = await db.run<Row>(findSims, [textArray([...imsis]), textArray([...msisdns]), today])
  const byImsi = new Map<string, FoundSim>()
  const byMsisdn = new Map<string, FoundSim>()
  for (const [imsi, msisdn, account_id, id, asset_id, state, imei, imei_lock, imeis, limit_bytes, limit_used, blocks, ...rest] of rows) {
    const [asset_off, account_suspended, balance, pool_exhausted, created_at, rules, pools_may_refuse, fed_to, in_pool] = rest
    const decided = { asset_off, account_suspended, balance, pool_exhausted }
    const sim = {
      account_id,
      id,
      asset_id,
      state,
      imei,
      imei_lock,
      imeis,
      limit_bytes,
      limit_used,
      blocks,
      ...decided,
      created_at,
      fed_to,
      rules,
      in_pool,
      pools_may_refuse,
      pool_refusal: null,
    }
    if (imsi) byImsi.set(imsi, sim)
    else if (msisdn) byMsisdn.set(msisdn, sim)
  }
  const find = ({ imsi, msisdn, user_name }: Identity) => {
    // An IMSI that we do not know is not overruled by a number that we do: the two contradict each other.
    if (imsi) return byImsi.get(imsi) ?? null
    return (msisdn && byMsisdn.get(msisdn)) || byImsi.get(imsiOfUserName(user_name) ?? '') || null
  }
  const asked = identities.flatMap((identity) => {
    const sim = find(identity)
    const network = sim && networkOf(sim, identity)
    return sim?.pools_may_refuse && network !== null ? [{ ...sim, network }] : []
  })
  if (asked.length === 0) return find
  const refused = await db.run<[string, string, string | null]>(findRefusals, [
    textArray(asked.map((sim) => sim.account_id)),
    textArray(asked.map((sim) => sim.id)),
    textArray(asked.map((sim) => sim.network)),
    today,
  ])
  const refusals = new Map(refused.map(([sim_id, network, words]) => [`${sim_id} ${network}`, words]))
  return (identity) => {
    const sim = find(identity)
    return sim && { ...sim, pool_refusal: refusals.get(`${sim.id} ${networkOf(sim, identity)}`) ?? null }
  }
}

const findSimsOfSessions: Statement = {
  name: 'find_sims_of_sessions',
  text: `select k.sim_id, s.id is null, (extract(epoch from f.counted_to) * 1000)::float8 from unnest($1::text[], $2::text[]) as k(account_id, sim_id)
    left join sim s on s.account_id = k.account_id and s.id = k.sim_id left join sim_feed f on f.account_id = s.account_id and f.sim_id = s.id`,
}

/** SIMs by id: whether each is on its account no more, and up to when a feed of records counted for it, in milliseconds since 1970. */
export async function findOwnSims(
  db: MeterConnection,
  sims: readonly SimOf[]
): Promise<ReadonlyMap<string, { is_gone: boolean; fed_to: number | null }>> {
  if (sims.length === 0) return new Map()
  const keys = [textArray(sims.map((sim) => sim.account_id)), textArray(sims.map((sim) => sim.sim_id))]
  const rows = await db.run<[string, boolean, number | null]>(findSimsOfSessions, keys)
  return new Map(rows.map(([id, is_gone, fed_to]) => [id, { is_gone, fed_to }]))
}

/** A ready or standby SIM that came on the network is active from now on. Others stay as they are. */
export async function goLive(tx: Tx, sims: readonly SimOf[], at: Date): Promise<void> {
  await recordSims(tx, at, simWentLive, await wakeSims(tx, sims, at))
}

const isHeld = ({ blocks }: Pick<FoundSim, 'blocks'>) => blocks.some(({ code }) => code === 'imei_mismatch')

/** Whether the device that a SIM is in changes what is kept of it: it is another one, the first of a lock, or decides otherwise than the last. */
export const isNewDevice = (sim: FoundSim, imei: string): boolean =>
  imei !== sim.imei || acceptsDevice(sim, imei) === isHeld(sim) || (sim.imei_lock === 'lock' && sim.imeis.length === 0)
