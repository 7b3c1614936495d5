import { expect, test } from 'vitest'
import { billedBytes, chargeMore, costOf, divideHalfEven, midnightsIn, splitAt, type ScopeTotals } from './rating.ts'
import { activeFee, termsMistake } from './tariff.ts'

test('from the middle to the even one', () => {
  expect([1n, 3n, 5n, 7n].map((each) => divideHalfEven(each, 2n))).toEqual([0n, 2n, 2n, 4n])
  expect([4n, 5n, 6n].map((each) => divideHalfEven(each, 3n))).toEqual([1n, 2n, 2n])
})

// Each bill is worked out by hand from a rule that somebody publishes (domain §5.4).
const bills = [
  // 1 KB steps for a session at $0.10 for a MB of 1024²: 300 B are 1 KB and 2,100 B are 3 KB, 4,096 B in all: $0.000390625, of which a session each is a micro's half.
  { what: '1 KB by session', block: 1024, kb: 1024, price: 100_000, scopes: [[300], [2100]], billed: [1024, 3072], micros: [98, 293] },
  { what: 'the same in one session', block: 1024, kb: 1024, price: 100_000, scopes: [[300, 2100]], billed: [3072], micros: [293] },
  // 100 KB for a SIM and a month: 127 KB are 200 KB. At $0.20 for a MB of 1024²: 200 / 1024 × 0.20.
  { what: '100 KB by month', block: 102_400, kb: 1024, price: 200_000, scopes: [[60_000, 70_048]], billed: [204_800], micros: [39_062] },
  // By whole kilobytes of 1000 at $0.40 for a MB: 1,234,567 B are 1,235 kB.
  { what: '1 kB of 1000', block: 1000, kb: 1000, price: 400_000, scopes: [[1_234_567]], billed: [1_235_000], micros: [494_000] },
  // No bytes are no block.
  { what: 'a session without bytes', block: 100_000, kb: 1000, price: 350_000, scopes: [[0]], billed: [0], micros: [0] },
  // Each megabyte begun, at $8.90.
  {
    what: '1 MB each',
    block: 1_000_000,
    kb: 1000,
    price: 8_900_000,
    scopes: [[1], [1_000_000], [1_000_001]],
    billed: [1_000_000, 1_000_000, 2_000_000],
    micros: [8_900_000, 8_900_000, 17_800_000],
  },
]
test.each(bills)('$what', ({ block, kb, price, scopes, billed, micros }) => {
  const counting = { block_bytes: block, kb }
  const totals = scopes.map((pieces) => {
    let so_far: ScopeTotals & { billed: bigint } = { bytes: 0n, billed: 0n, charged: 0n }
    for (const piece of pieces) so_far = chargeMore(so_far, BigInt(piece), counting, BigInt(price))
    return so_far
  })
  expect(totals.map((each) => Number(each.billed))).toEqual(billed)
  expect(totals.map((each) => Number(each.charged))).toEqual(micros)
})

test('many small pieces cost what one large piece does, and taking them back gives all of it back', () => {
  const counting = { block_bytes: 1024, kb: 1024 }
  const pieces = [1n, 7n, 1500n, 3n, 999_999n, 64n]
  let scope = { bytes: 0n, charged: 0n }
  let added = 0n
  for (const piece of pieces) {
    const more = chargeMore(scope, piece, counting, 123_457n)
    added += more.added
    scope = more
  }
  const all = pieces.reduce((sum, piece) => sum + piece, 0n)
  expect(added).toBe(costOf(billedBytes(all, 1024), 123_457n, 1024))
  expect(chargeMore(scope, -all, counting, 123_457n)).toMatchObject({ charged: 0n, added: -added })
})

test('usage is spread over its time, and none of it is lost', () => {
  const day = 86_400_000
  expect(midnightsIn({ from: 0, at: day })).toEqual([day])
  expect(splitAt({ from: 0, at: day - 1, bytes: 10 }, midnightsIn({ from: 0, at: day - 1 }))).toHaveLength(1)
  const pieces = splitAt({ from: day / 2, at: 2 * day + day / 2, bytes: 1001 }, midnightsIn({ from: day / 2, at: 2.5 * day }))
  expect(pieces.map(({ bytes }) => bytes)).toEqual([250, 500, 251])
  expect(pieces.map(({ at }) => Math.floor(at / day))).toEqual([0, 1, 2])
  expect(splitAt({ from: 5, at: 5, bytes: 9 }, [5])).toEqual([{ from: 5, at: 5, bytes: 9 }])
})

test('the fee of an active SIM falls with their number', () => {
  const fees = {
    active_monthly: [
      { from: 1, price_micros: 2_000_000 },
      { from: 11, price_micros: 1_600_000 },
    ],
  }
  expect([1, 10, 11, 500].map((n) => activeFee(fees, n))).toEqual([2_000_000, 2_000_000, 1_600_000, 1_600_000])
})

test('a network is in one zone, and steps go up', () => {
  const zone = { id: 'A', name: 'A', networks: ['262'], price_micros: 1 }
  const fees = {
    activation_micros: 0,
    reactivation_micros: 0,
    inactive_monthly_micros: 0,
    standby_monthly_micros: 0,
    active_monthly: [{ from: 1, price_micros: 0 }],
  }
  expect(termsMistake({ zones: [zone, { ...zone, id: 'B', networks: ['262-01'] }], fees })).toBeNull()
  expect(termsMistake({ zones: [zone, { ...zone, id: 'B' }], fees })?.field).toBe('zones.1.networks')
  expect(termsMistake({ zones: [zone, { ...zone, networks: ['*'] }], fees })?.words).toBe('Two zones are called A')
  expect(termsMistake({ zones: [zone], fees: { ...fees, active_monthly: [{ from: 2, price_micros: 0 }] } })?.field).toBe(
    'fees.active_monthly'
  )
})
