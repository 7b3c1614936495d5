import type { Currency, Micros } from '@masthead/contract/billing/money'
import { noTariff } from '@masthead/contract/billing/tariff-problems'
import type { PriceList } from '@masthead/contract/billing/tariff'
import { Problem } from '@masthead/contract/kernel/problem'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { Actor, Db } from '../../kernel/app.ts'

/** Whose prices are asked for: a version, the one after it, prices agreed with the reader, and their account, where it is theirs. */
export type Asked = {
  account_id: string | null
  tariff_id: string
  number: number
  next: number | null
  own_prices: Record<string, number>
}

/** What an account pays by today. Throws no_tariff. */
export async function tariffOfAccount(db: Db, { account_id, at }: Pick<Actor, 'account_id' | 'at'>): Promise<Asked> {
  const given = await db
    .selectFrom('account_tariff')
    .select(['tariff_id', 'own_prices'])
    .where('account_id', '=', account_id)
    .where('from_day', '<=', dayOf(at))
    .orderBy('from_day', 'desc')
    .executeTakeFirst()
  if (!given?.tariff_id) throw new Problem(noTariff, 'Your account pays by no price list yet')
  return { ...(await versionsOf(db, at, given.tariff_id)), account_id, own_prices: given.own_prices }
}

/** The general plan. Throws no_tariff. */
export async function tariffOfPlan(db: Db, at: Date): Promise<Asked> {
  const plan = await db.selectFrom('tariff').select('id').where('is_standard', '=', true).executeTakeFirst()
  if (!plan) throw new Problem(noTariff, 'There is no general price list')
  return { ...(await versionsOf(db, at, plan.id)), account_id: null, own_prices: {} }
}

async function versionsOf(db: Db, at: Date, tariff_id: string): Promise<Pick<Asked, 'tariff_id' | 'number' | 'next'>> {
  const today = dayOf(at)
  const versions = await db
    .selectFrom('tariff_version')
    .select(['number', 'effective_from'])
    .where('tariff_id', '=', tariff_id)
    .orderBy('effective_from')
    .execute()
  const current = versions.findLast(({ effective_from }) => effective_from <= today)
  if (!current) throw new Problem(noTariff)
  return {
    tariff_id,
    number: current.number,
    next: versions.find(({ effective_from }) => effective_from > today)?.number ?? null,
  }
}

export const money = (price: number | null) => price as Micros | null

export async function getPriceList(db: Db, { tariff_id, number, next, own_prices }: Asked): Promise<PriceList> {
  const version = await db
    .selectFrom('tariff_version as version')
    .innerJoin('tariff', 'tariff.id', 'version.tariff_id')
    .leftJoin('tariff_version as following', (join) =>
      join.onRef('following.tariff_id', '=', 'version.tariff_id').on('following.number', '=', next)
    )
    .select(['tariff.name', 'tariff.currency', 'version.effective_from', 'version.block_bytes', 'version.rounding_scope', 'version.kb'])
    .select(['version.fees', 'following.effective_from as next_from'])
    .where('version.tariff_id', '=', tariff_id)
    .where('version.number', '=', number)
    .executeTakeFirstOrThrow()
  const { rows: zones } = await sql<{ id: string; name: string; price_micros: number; next_price_micros: number | null }>`
    select zone.id, zone.name, zone.price_micros, following.price_micros as next_price_micros from tariff_zone zone
      left join tariff_zone following on following.tariff_id = zone.tariff_id and following.number = ${next} and following.id = zone.id
    where zone.tariff_id = ${tariff_id} and zone.number = ${number} order by zone.place`.execute(db)
  const known = await countNetworks(db, tariff_id, number)
  const inZone = Map.groupBy(known, ({ zone_id }) => zone_id)
  const { next_from, currency, ...terms } = version
  return {
    ...terms,
    currency: currency as Currency,
    version: number,
    zones: zones.map(({ id, name, price_micros, next_price_micros }) => {
      const own = own_prices[id]
      const isChanged = own === undefined && next_price_micros !== null && next_price_micros !== price_micros
      return {
        id,
        name,
        price_micros: (own ?? price_micros) as Micros,
        list_price_micros: money(own === undefined ? null : price_micros),
        next_price_micros: money(isChanged ? next_price_micros : null),
        countries: inZone.get(id)?.filter(({ country }) => country !== '').length ?? 0,
        networks: inZone.get(id)?.reduce((sum, { networks }) => sum + networks, 0) ?? 0,
      }
    }),
    places: known.flatMap(({ country, zone_id }) => (country === '' ? [] : [{ country, zone_id }])),
    next: next === null || next_from === null ? null : { version: next, effective_from: next_from },
  }
}

/** How many of the networks that we know are in each zone, by their country; those of ships and satellites have none. */
async function countNetworks(db: Db, tariff_id: string, number: number) {
  const { rows } = await sql<{ zone_id: string; country: string; networks: number }>`
    select zone_id, country, count(*)::int as networks
    from (select country, tariff_zone_of(${tariff_id}, ${number}, mccmnc) as zone_id from network where active) known
    where zone_id is not null group by zone_id, country`.execute(db)
  return rows
}
