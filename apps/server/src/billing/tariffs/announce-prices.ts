import { priceChangeWithdrawn, pricesToChange } from '@masthead/contract/billing/events'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { dayOf, formatDay } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { systemActor, type App, type Db, type Tx } from '../../kernel/app.ts'
import { eachOf } from '../../kernel/jobs/each-of.ts'
import { record } from '../../kernel/record.ts'

const mostZones = 5

type Due = {
  account_id: string
  from_day: string
  tariff_id: string
  name: string
  currency: Currency
  own_prices: Record<string, number>
  /** What it was notified of, and whether that is planned no more. */
  announced: number | null
  is_withdrawn: boolean
  current: number
  next: number | null
  effective_from: string | null
}

/**
 * Accounts whose price list has a next version that they were not notified of, or that were notified of one that was withdrawn. `announced` says which, so a
 * job that is repeated notifies of nothing twice. A version that begins after the account pays by another list does not concern it.
 */
const due = (today: string, account_id: string | null) => sql<Due>`
  select a.account_id, a.from_day, a.tariff_id, t.name, t.currency, a.own_prices, a.announced, withdrawn as is_withdrawn, v.number as current, next.number as next,
    next.effective_from
  from account_tariff a join account on account.id = a.account_id and account.closed_at is null join tariff t on t.id = a.tariff_id
    cross join lateral (select number from tariff_version where tariff_id = t.id and effective_from <= ${today}::date order by effective_from desc limit 1) v
    left join lateral (select p.number, p.effective_from from tariff_version p where p.tariff_id = t.id and p.effective_from > ${today}::date
      and not exists (select from account_tariff o where o.account_id = a.account_id and o.from_day > a.from_day and o.from_day <= p.effective_from)
      order by p.effective_from limit 1) next on true
    cross join lateral (select a.announced is not null
      and not exists (select from tariff_version w where w.tariff_id = t.id and w.number = a.announced) as withdrawn) gone
  where a.from_day <= ${today}::date and (${account_id}::text is null or a.account_id = ${account_id})
    and not exists (select from account_tariff o where o.account_id = a.account_id and o.from_day > a.from_day and o.from_day <= ${today}::date)
    and (withdrawn or next.number is not null and next.number is distinct from a.announced)
  order by a.account_id ${account_id === null ? sql`` : sql`for no key update of a`}`

/** Notifies accounts of what the next version of their price list changes for them, and of one that was withdrawn after that. */
export async function announcePrices(app: App): Promise<void> {
  const at = app.clock.now()
  const changes = new Map<string, Promise<Changes>>()
  const { rows } = await due(dayOf(at), null).execute(app.db)
  await eachOf(rows, ({ account_id }) => app.db.transaction().execute((tx) => announce(tx, changes, account_id, at)))
}

async function announce(tx: Tx, changes: Map<string, Promise<Changes>>, account_id: string, at: Date) {
  const [row] = (await due(dayOf(at), account_id).execute(tx)).rows
  if (!row) return
  const { from_day, tariff_id, name, current, next, effective_from, is_withdrawn } = row
  await tx
    .updateTable('account_tariff')
    .set({ announced: next })
    .where('account_id', '=', account_id)
    .where('from_day', '=', from_day)
    .execute()
  const actor = systemActor(account_id, at)
  if (is_withdrawn) await record(tx, actor, priceChangeWithdrawn, { tariff_name: name })
  if (next === null) return
  const key = `${tariff_id}:${current}:${next}`
  if (!changes.has(key)) changes.set(key, changesOf(tx, tariff_id, current, next))
  const words = wordsOf(await changes.get(key)!, row)
  if (words) await record(tx, actor, pricesToChange, { tariff_name: name, from_day: formatDay(effective_from!), words })
}

type Changes = {
  zones: { id: string; from: number; to: number }[]
  moved: number
  fees: boolean
  counting: boolean
  kb: number
}

/** What is different in the next version, whoever pays by it. */
async function changesOf(db: Db, tariff_id: string, current: number, next: number): Promise<Changes> {
  const { rows: zones } = await sql<Changes['zones'][number]>`select z.id, z.price_micros as from, n.price_micros as to
    from tariff_zone z join tariff_zone n on n.tariff_id = z.tariff_id and n.number = ${next} and n.id = z.id
    where z.tariff_id = ${tariff_id} and z.number = ${current} and n.price_micros <> z.price_micros order by z.place`.execute(db)
  const { rows } = await sql<Omit<Changes, 'zones'>>`select v.fees <> n.fees as fees, n.kb,
      (v.block_bytes, v.rounding_scope, v.kb) is distinct from (n.block_bytes, n.rounding_scope, n.kb) as counting,
      (select count(*)::int from network where active
        and tariff_zone_of(v.tariff_id, v.number, mccmnc) is distinct from tariff_zone_of(n.tariff_id, n.number, mccmnc)) as moved
    from tariff_version v join tariff_version n on n.tariff_id = v.tariff_id and n.number = ${next}
    where v.tariff_id = ${tariff_id} and v.number = ${current}`.execute(db)
  return { zones, ...rows[0]! }
}

/** In words, or none where all stays as it is for the account: prices that were agreed with it stay. */
function wordsOf({ zones, moved, fees, counting, kb }: Changes, { own_prices, currency }: Pick<Due, 'own_prices' | 'currency'>): string {
  const own = zones.filter(({ id }) => own_prices[id] === undefined)
  const more = own.length - mostZones
  return [
    ...own
      .slice(0, mostZones)
      .map(
        ({ id, from, to }) =>
          `${id} ${to > from ? 'rises' : 'falls'} to ${formatMoney(micros(to), currency)} per ${kb === 1024 ? 'MiB' : 'MB'}`
      ),
    more > 0 && `${more} more ${more === 1 ? 'zone' : 'zones'}`,
    moved > 0 && (moved === 1 ? '1 network is in another zone' : `${moved.toLocaleString('en')} networks are in another zone`),
    fees && 'other fees of SIMs',
    counting && 'data is rounded otherwise',
  ]
    .filter(Boolean)
    .join(', ')
}
