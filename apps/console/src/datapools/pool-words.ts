import { overageAllowed, overageWords, type DataPool, type Overage, type PoolState } from '@masthead/contract/datapools/pool'
import { validityWords } from '@masthead/contract/datapools/package'
import { formatMoney, type Currency, type Micros } from '@masthead/contract/billing/money'
import { formatClock, monthNames } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Shape, Tone } from '../ui/StateShape.tsx'

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** "Mon 23 Nov" in UTC. */
export function shortDay(at: string): string {
  const time = new Date(at)
  return `${weekdays[time.getUTCDay()]} ${time.getUTCDate()} ${monthNames[time.getUTCMonth()]}`
}
const clock = (at: string) => formatClock(new Date(at).getUTCHours(), new Date(at).getUTCMinutes())
/** Hours alone for what is only likely. */
const aroundHour = (at: string) => formatClock(new Date(Date.parse(at) + 1_800_000).getUTCHours(), 0)

export type PoolLook = { label: string; tone: Tone; shape: Shape; bar: 'ok' | 'warn' | 'bad' | 'idle' }

/** Its state as a word, a shape and a colour. One that will be used up before its term ends is running out. */
export function poolLook({ state, forecast }: Pick<DataPool, 'state' | 'forecast'>): PoolLook {
  const looks: Record<PoolState, PoolLook> = {
    active: forecast?.runs_out
      ? { label: 'Running out', tone: 'warn', shape: 'triangle', bar: 'warn' }
      : { label: 'Active', tone: 'ok', shape: 'disc', bar: 'ok' },
    overage: { label: 'Used up', tone: 'warn', shape: 'triangle', bar: 'warn' },
    exhausted: { label: 'Exhausted', tone: 'bad', shape: 'octagon', bar: 'bad' },
    ended: { label: 'Ended', tone: 'idle', shape: 'cross', bar: 'idle' },
  }
  return looks[state]
}

/** Whether it is used up, or will be before its term ends. */
export const needsMore = ({ state, forecast }: Pick<DataPool, 'state' | 'forecast'>): boolean =>
  state === 'active' ? Boolean(forecast?.runs_out) : state !== 'ended'

const days = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
const sims = (count: number) => (count === 1 ? '1 SIM' : `${count.toLocaleString('en')} SIMs`)

/** When its term ends, and whether another one follows. */
const endWords = ({ auto_renew, term_end }: Pick<DataPool, 'auto_renew' | 'term_end'>): string =>
  `${auto_renew ? 'renews' : 'ends'} on ${shortDay(term_end)}`

/** What follows when its term ends: the next one with what it costs, as far as that is for who asks, or no more of it. */
export function renewalWords(pool: Pick<DataPool, 'auto_renew' | 'term_end' | 'bought' | 'kind' | 'price_micros' | 'currency'>): string {
  const { auto_renew, bought, kind, price_micros, currency } = pool
  const words = `The pool ${endWords(pool)}`
  if (!auto_renew) return `${words}, and its SIMs go on without it. Until then everything stays as it is.`
  if (!bought) return `${words}.`
  const price =
    price_micros === null ? 'The next term' : `${formatMoney(price_micros, currency)}${kind === 'dynamic' ? ' for each SIM' : ''}`
  return `${words}. ${price} is paid from the balance then; where that is not enough, the pool ends.`
}

/** Between which days that will be; nothing where both are the same one. */
function rangeWords({ earliest, latest }: { earliest: string; latest: string | null }): string {
  if (latest === null) return `${shortDay(earliest)} at the earliest; it may last. `
  return shortDay(earliest) === shortDay(latest) ? '' : `Likely between ${shortDay(earliest)} and ${shortDay(latest)}. `
}

/** What is to be known of a pool now: `first` is the point, `next` what follows from it. */
export function poolSentence(pool: DataPool): { first: string; next: string } {
  const { state, forecast, term_end, auto_renew, size_bytes, used_bytes, overage_bytes } = pool
  const end = endWords(pool)
  if (state === 'ended') return { first: `Ended on ${shortDay(pool.ended_at ?? term_end)}.`, next: 'Its SIMs go on without it.' }
  if (state === 'exhausted') {
    return {
      first: `Exhausted since ${shortDay(pool.exhausted_at!)}, ${clock(pool.exhausted_at!)} UTC.`,
      next: `${sims(pool.sims)} ${pool.sims === 1 ? 'has' : 'have'} no service until the pool ${end}, gets more data, or may go over, unless another pool has data for ${pool.sims === 1 ? 'it' : 'them'}.`,
    }
  }
  if (state === 'overage') {
    const most = overageAllowed(pool, size_bytes)
    const first = `Used up since ${shortDay(pool.used_up_at!)}, ${clock(pool.used_up_at!)} UTC.`
    if (most === null) return { first, next: `${formatBytes(overage_bytes)} were charged as pay as you go.` }
    const left = formatBytes(Math.max(0, most - overage_bytes))
    return { first, next: `It may go ${pool.overage_percent} % over: ${left} of that is left. Then ${sims(pool.sims)} lose service.` }
  }
  if (!forecast) return { first: 'No forecast yet.', next: `It takes one whole day of usage. The pool ${end}.` }
  const { runs_out, at_end } = forecast
  if (!runs_out) {
    const spare = `with about ${formatBytes(Math.max(0, size_bytes - at_end.expected))} to spare`
    const missing = at_end.high - size_bytes
    if (missing <= 0) return { first: `Lasts until it ${end}`, next: `${spare}.` }
    return { first: `Likely lasts until it ${end}`, next: `${spare}; at most ${formatBytes(missing)} may be missing.` }
  }
  const before = days(runs_out.expected, term_end)
  const early = before > 0 ? `, ${before === 1 ? 'a day' : `${before} days`} before it ${auto_renew ? 'renews' : 'ends'}` : ''
  const beyond = Math.max(0, at_end.expected - Math.max(size_bytes, used_bytes))
  const after =
    pool.overage_policy === 'payg'
      ? `After that about ${formatBytes(beyond)} are charged as pay as you go.`
      : `After it: ${overageWords(pool)}.`
  return {
    first: `Runs out ${shortDay(runs_out.expected)}, around ${aroundHour(runs_out.expected)} UTC${early}.`,
    next: `${rangeWords(runs_out)}${after}`,
  }
}

/** What follows at once for the SIMs of a pool that is used up where another policy is chosen for it; null: nothing. */
export function policyEffect(pool: DataPool, chosen: Overage): { takes: boolean; words: string } | null {
  const most = overageAllowed(chosen, pool.size_bytes)
  const takes = most !== null && pool.overage_bytes >= most
  if (pool.sims === 0 || pool.state !== (takes ? 'overage' : 'exhausted')) return null
  const [one, its] = pool.sims === 1 ? ['loses', 'its'] : ['lose', 'their']
  return takes
    ? {
        takes,
        words: `So much is used already: ${sims(pool.sims)} ${one} ${its} service at once, unless another pool has data for ${pool.sims === 1 ? 'it' : 'them'}.`,
      }
    : { takes, words: `${sims(pool.sims)} ${pool.sims === 1 ? 'has' : 'have'} service again at once.` }
}

/** What follows for SIMs that join a pool which gives nothing; null: it has data, or they bring some. */
export const joiningWords = ({ state, kind }: Pick<DataPool, 'state' | 'kind'>): string | null =>
  state === 'exhausted' && kind === 'fixed'
    ? 'The pool is exhausted: a SIM that joins it has no service, unless another pool has data for it.'
    : null

/** "$75.00 a month", "$2.00 a SIM a month"; a dash for nothing, and where the price is not for who asks. */
export const priceWords = ({
  kind,
  price_micros,
  currency,
  validity,
}: Pick<DataPool, 'kind' | 'price_micros' | 'currency' | 'validity'>): string =>
  !price_micros
    ? '—'
    : `${formatMoney(price_micros, currency)}${kind === 'dynamic' ? ' a SIM' : ''} ${validity.count === 1 ? validityWords(validity) : `for ${validityWords(validity)}`}`

/** What a megabyte of a package costs where all of it is used; a dash for none. */
export const perMegabyte = ({
  price_micros,
  size_bytes,
  currency,
}: {
  price_micros: Micros | null
  size_bytes: number
  currency: Currency
}) => (!price_micros ? '—' : formatMoney(Math.round(price_micros / (size_bytes / 1_000_000)) as Micros, currency))

export const zoneWords = ({ zone, countries }: { zone: string | null; countries: number }): string =>
  zone === null ? 'Everywhere' : `Zone ${zone}, ${countries === 1 ? '1 country' : `${countries} countries`}`

/** What a SIM that is added brings to a pool that pays for each, and costs, as far as that is for who asks; null where none does. */
export function shareWords({ bought, kind, unit_bytes, price_micros, currency, validity, prorate_first }: DataPool): string | null {
  if (!bought || kind !== 'dynamic') return null
  const brings = `Each SIM brings ${formatBytes(unit_bytes)}`
  if (price_micros === null) return `${brings}, which is paid from the balance now.`
  const term = validity.count === 1 ? validityWords(validity) : `for ${validityWords(validity)}`
  const first = prorate_first ? '; of the term that runs, its share of the days that are left' : ', the term that runs as a whole'
  return `${brings} and costs ${formatMoney(price_micros, currency)} ${term}${first}. It is paid from the balance now.`
}

/** Whose figures a pool shows to somebody who sees some of its SIMs; null for who sees all. */
export const wholePoolWords = ({ limited }: Pick<DataPool, 'limited'>): string | null =>
  limited ? 'All figures are of the whole pool, with SIMs that you may not see. What each of yours used is in its list of SIMs.' : null

/** "Alerts at 80 and 95 %". */
export function thresholdWords(thresholds: readonly number[]): string {
  if (thresholds.length === 0) return 'No alerts'
  const last = thresholds.at(-1)!
  return `Alerts at ${thresholds.length === 1 ? '' : `${thresholds.slice(0, -1).join(', ')} and `}${last} %`
}
