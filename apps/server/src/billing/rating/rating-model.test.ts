import type { RoundingScope } from '@masthead/contract/billing/rating'
import { openHouse } from '@masthead/testkit/house'
import { seeded } from '@masthead/testkit/seeded'
import { expect, test } from 'vitest'
import { putAssignment, putTariff, putVersion } from '../tariffs/test-tariffs.ts'
import { type LastCharge, rateUsage, type UsageToRate } from './rate-usage.ts'

const histories = Number(process.env.MASTHEAD_HISTORIES ?? 200)
const day = 86_400_000
const start = Date.parse('2026-10-29T00:00:00Z')

type Version = { from: number; block: number; scope: RoundingScope; kb: 1000 | 1024; prices: Record<string, number> }
const zoneOf = (mccmnc: string) => (mccmnc.startsWith('262') ? 'EU1' : 'ROW')

/** What it all costs, byte by byte: each byte finds its moment, its version, its zone and its scope; each scope is then rounded up and priced once. */
function slowly(usage: readonly UsageToRate[], versions: readonly Version[]): bigint {
  const scopes = new Map<string, { bytes: bigint; version: Version; price: bigint }>()
  for (const [record, { from, at, bytes, session_id, mccmnc, taken }] of usage.entries()) {
    const given = taken.reduce((sum, each) => sum + each.bytes, 0)
    const paid = taken.reduce((sum, each) => sum + (each.is_paid ? each.over : 0), 0)
    const count = given > 0 ? paid : bytes
    for (let k = 0; k < count; k++) {
      // Spread evenly: the byte is over at its share of the time.
      let when = at
      for (let edge = Math.ceil((from + 1) / day) * day; given === 0 && from < at && edge <= at; edge += day)
        if ((k + 1) * (at - from) <= bytes * (edge - from)) {
          when = edge - 1
          break
        }
      const version = versions.findLast((each) => each.from <= when)!
      const date = new Date(when).toISOString()
      const scope = { record: `r${record}`, session: session_id, day: date.slice(0, 10), month: '' }[version.scope]
      const zone = zoneOf(mccmnc)
      const key = [date.slice(0, 7), scope, version.from, zone, given > 0].join(' ')
      const of = scopes.get(key) ?? { bytes: 0n, version, price: BigInt(version.prices[zone]!) }
      of.bytes += 1n
      scopes.set(key, of)
    }
  }
  let total = 0n
  for (const { bytes, version, price } of scopes.values()) {
    let billed = 0n
    while (billed < bytes) billed += BigInt(version.block)
    const [dividend, divisor] = [billed * price, BigInt(version.kb * version.kb)]
    const whole = dividend / divisor
    const rest = (dividend - whole * divisor) * 2n
    total += rest > divisor || (rest === divisor && whole % 2n === 1n) ? whole + 1n : whole
  }
  return total
}

test(`${histories} random histories cost what they cost byte by byte`, async () => {
  await using house = await openHouse()
  const { account_id } = await house.newOwner()
  const at = new Date(start + 10 * day)
  house.clock.set(at.toISOString())
  for (let seed = 1; seed <= histories; seed++) {
    const random = seeded(seed)
    const version = (from: number): Version => ({
      from,
      block: random.one([1, 10, 100, 1000, 1024]),
      scope: random.one(['record', 'session', 'day', 'month'] as const),
      kb: random.one([1000, 1024] as const),
      prices: { EU1: random.whole(0, 900_000_000), ROW: random.whole(0, 900_000_000) },
    })
    const versions = [version(start - 100 * day), ...(random.whole(0, 1) === 1 ? [version(start + random.whole(1, 6) * day)] : [])]
    const terms = ({ from, block, scope, kb, prices }: Version) => ({
      effective_from: new Date(from).toISOString().slice(0, 10),
      block_bytes: block,
      rounding_scope: scope,
      kb,
      zones: [
        { id: 'EU1', networks: ['262'], price_micros: prices.EU1! },
        { id: 'ROW', networks: ['*'], price_micros: prices.ROW! },
      ],
    })
    const tariff_id = await putTariff(house, terms(versions[0]!))
    for (const each of versions.slice(1)) await putVersion(house, tariff_id, terms(each))
    await house.db.deleteFrom('account_tariff').execute()
    await putAssignment(house, account_id, tariff_id, { from_day: '2026-01-01' })
    const sim_id = `sim_${seed}`
    // As the meter has them in memory, until it forgets them.
    const sessions = ['s1', 's2', 's3'].map((id) => ({ id, charged: null as LastCharge | null }))
    const usage = Array.from({ length: random.whole(1, 8) }, (): UsageToRate => {
      const from = start + random.whole(0, 7 * day)
      const isPooled = random.whole(0, 4) === 0
      const midnight = (Math.floor(from / day) + 1) * day
      const until = isPooled ? Math.min(midnight - 1, from + random.whole(0, day)) : from + random.one([0, 1000, random.whole(0, 3 * day)])
      const bytes = random.whole(1, random.one([3, 50, 2000]))
      const over = random.whole(0, bytes)
      const taken = isPooled ? [{ from, at: until, bytes, over, is_paid: random.whole(0, 1) === 1 }] : []
      return {
        account_id,
        sim_id,
        session_id: `s${random.whole(1, 3)}`,
        from,
        at: until,
        bytes,
        mccmnc: random.one(['262-01', '310-410', '']),
        taken,
      }
    })
    // In batches of any size.
    for (let i = 0; i < usage.length;) {
      const size = random.whole(1, 4)
      const session = random.one(sessions)
      session.charged = null
      const batch = usage.slice(i, i + size).map((each) => ({ ...each, session: sessions.find(({ id }) => id === each.session_id)! }))
      await house.db.transaction().execute((tx) => rateUsage(tx, batch, at))
      i += size
    }
    const { charged } = await house.db
      .selectFrom('charge')
      .select(({ fn }) => fn.sum<string>('charged_micros').as('charged'))
      .where('sim_id', '=', sim_id)
      .executeTakeFirstOrThrow()
    expect({ seed, charged: BigInt(charged ?? 0) }).toEqual({ seed, charged: slowly(usage, versions) })
  }
}, 36_000_000)
