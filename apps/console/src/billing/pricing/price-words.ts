import { formatMoney, type Currency, type Micros } from '@masthead/contract/billing/money'
import { roundingScopes, type RoundingScope } from '@masthead/contract/billing/rating'
import { activeFees, type PriceList, type SimFees } from '@masthead/contract/billing/tariff'

/** "$0.35"; a dash for no price. */
export const priceWords = (micros: number | null, currency: string): string =>
  micros === null ? '—' : formatMoney(micros as Micros, currency as Currency)

/** "100 KB", in the kilobytes of the list. */
function blockWords(bytes: number, kb: number): string {
  if (bytes % (kb * kb) === 0) return `${(bytes / kb / kb).toLocaleString('en')} MB`
  if (bytes % kb === 0) return `${(bytes / kb).toLocaleString('en')} KB`
  return bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en')} bytes`
}

/** The zones of each country with their prices, the cheapest first. */
export const placesOf = ({ places, zones }: Pick<PriceList, 'places' | 'zones'>) =>
  zones
    .toSorted((one, other) => one.price_micros - other.price_micros)
    .flatMap(({ id, price_micros }) =>
      places.flatMap(({ country, zone_id }) => (zone_id === id ? [{ country, zone_id, price_micros }] : []))
    )

/** How bytes are rounded and counted, in a sentence. */
export function countingWords({
  block_bytes,
  rounding_scope,
  kb,
}: {
  block_bytes: number
  rounding_scope: RoundingScope
  kb: number
}): string {
  const megabyte = `1 MB is ${(kb * kb).toLocaleString('en')} bytes.`
  if (block_bytes === 1) return `Every byte counts, and nothing is rounded up. ${megabyte}`
  return `The data of ${roundingScopes[rounding_scope]} is rounded up to ${blockWords(block_bytes, kb)}. ${megabyte}`
}

/** What a month costs of so many active SIMs that use so many megabytes each, in micros; without activation, packages, and what a block rounds up. */
export function monthEstimate(fees: SimFees, { sims, megabytes, price_micros }: { sims: number; megabytes: number; price_micros: number }) {
  const data = Math.round(sims * megabytes * price_micros)
  const active = activeFees(fees, sims)
  return { data, active, all: data + active }
}

/** "+20 %", of a price that changes. */
export function changeWords(from: number, to: number): string {
  if (from === 0) return to === 0 ? 'no change' : 'new'
  const percent = Math.round((to / from - 1) * 100)
  return percent === 0 ? 'below 1 %' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`
}

type Fee = { label: string; micros: number; note?: string }

/** What SIMs cost apart from their usage, as rows. */
export function feeRows(fees: SimFees): Fee[] {
  const steps = fees.active_monthly
  return [
    { label: 'Activation', micros: fees.activation_micros, note: 'once in a month' },
    { label: 'Reactivation', micros: fees.reactivation_micros, note: 'once in a month' },
    ...steps.map(({ from, price_micros }, i) => {
      const next = steps[i + 1]?.from
      const which =
        steps.length === 1
          ? ''
          : next
            ? `, SIM ${from.toLocaleString('en')} to ${(next - 1).toLocaleString('en')}`
            : `, from SIM ${from.toLocaleString('en')} on`
      return { label: `Active${which}`, micros: price_micros, note: 'a month' }
    }),
    { label: 'Inactive', micros: fees.inactive_monthly_micros, note: 'a month' },
    { label: 'Standby', micros: fees.standby_monthly_micros, note: 'a month' },
  ]
}
