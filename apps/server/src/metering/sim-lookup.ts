import type { SimBlock, SimState } from '@masthead/contract/assets/sim'
import { textArray } from './array-literal.ts'
import { findSims } from './batch-statements.ts'
import type { MeterConnection } from './meter-connection.ts'
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
  used: number,
]

/** The IMSI in a User-Name: its digits before any realm. */
export function imsiOfUserName(user_name: string | null): string | null {
  return user_name === null ? null : (/^(\d{14,15})(?:@.*)?$/.exec(user_name)?.[1] ?? null)
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
  for (const [imsi, msisdn, account_id, id, asset_id, state, imei, limit_bytes, blocks, used] of rows) {
    const sim = { account_id, id, asset_id, state, imei, limit_bytes, blocks, used }
    if (imsi) byImsi.set(imsi, sim)
    else if (msisdn) byMsisdn.set(msisdn, sim)
  }
  return ({ imsi, msisdn, user_name }) => {
    // An IMSI that we do not know is not overruled by a number that we do: the two contradict each other.
    if (imsi) return byImsi.get(imsi) ?? null
    return (msisdn && byMsisdn.get(msisdn)) || byImsi.get(imsiOfUserName(user_name) ?? '') || null
  }
}
