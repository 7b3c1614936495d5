import type { PriceFilter, PriceQuery } from '@masthead/contract/billing/price-operations'
import type { NetworkPrice } from '@masthead/contract/billing/tariff'
import type { Page } from '@masthead/contract/kernel/page'
import type { NetworkRules } from '@masthead/contract/network-groups/rules'
import { countryOf } from '@masthead/contract/networks/countries'
import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'
import { containing } from '../../kernel/http/like.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { csvOf } from '../../kernel/sheet.ts'
import { rulesInUse } from '../../network-groups/index.ts'
import { type Asked, money } from './price-queries.ts'

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const nameOf = (code: string) => (code === '' ? '' : names.of(code)!)
const isCalled = (code: string, search: string) =>
  nameOf(code).toLowerCase().includes(search.toLowerCase()) || code === search.toUpperCase()

/** Of the networks that we know, as people look for them: by their names. One without a country comes last. */
async function countriesInOrder(db: Db): Promise<string[]> {
  const known = await db.selectFrom('network').select('country').distinct().where('country', '!=', '').execute()
  return known.map(({ country }) => country).toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), 'en'))
}

type Known = { mccmnc: string; rats: string[] }

/** How many of these groups allow a network. Of one whose technologies are not known, none is held against it. */
function allowedBy(groups: readonly NetworkRules[]): (network: Known) => number {
  const sets = groups.map(({ countries, networks, rats }) => ({
    countries: countries && new Set(countries),
    networks: new Set(networks),
    rats: rats && new Set<string>(rats),
  }))
  return ({ mccmnc, rats: own }) => {
    const country = countryOf(mccmnc) ?? ''
    return sets.filter(
      ({ countries, networks, rats }) =>
        (countries === null || countries.has(country) || networks.has(mccmnc)) &&
        (rats === null || own.length === 0 || own.some((rat) => rats.has(rat)))
    ).length
  }
}

/** By the country's name and operator. */
export async function listPrices(db: Db, asked: Asked, query: PriceQuery): Promise<Page<NetworkPrice>> {
  const { account_id, tariff_id, number, next, own_prices } = asked
  const { search, country, zone, rat, most_micros, allowed } = query
  const inOrder = await countriesInOrder(db)
  const groupsOf = account_id === null ? null : allowedBy(await rulesInUse(db, account_id))
  const zoneIn = (version: number | null) => sql<string | null>`tariff_zone_of(${tariff_id}, ${version}, network.mccmnc)`
  const priceIn = (version: number | null) => sql<number | null>`(select z.price_micros from tariff_zone z where z.tariff_id = ${tariff_id}
    and z.number = ${version} and z.id = ${zoneIn(version)})`
  let all = db.selectFrom('network').where('active', '=', true)
  if (country) all = all.where('country', '=', country)
  if (rat) all = all.where(sql<boolean>`${rat} = any(network.rats)`)
  if (zone) all = all.where(sql<boolean>`${zoneIn(number)} = ${zone}`)
  if (most_micros !== undefined) {
    const own = sql`(${JSON.stringify(own_prices)}::jsonb ->> ${zoneIn(number)})::bigint`
    all = all.where(sql<boolean>`coalesce(${own}, ${priceIn(number)}) <= ${most_micros}`)
  }
  if (allowed && groupsOf) {
    const known = await db.selectFrom('network').select(['mccmnc', 'rats']).where('active', '=', true).execute()
    const ids = known.filter((network) => groupsOf(network) > 0).map(({ mccmnc }) => mccmnc)
    all = all.where(sql<boolean>`network.mccmnc = any(${ids}::text[])`)
  }
  if (search) {
    all = all.where(
      sql<boolean>`(lower(network.name) like ${containing(search)} or network.mccmnc like ${containing(search)}
        or network.country = any(${inOrder.filter((code) => isCalled(code, search))}::text[]) or lower(${zoneIn(number)}) = ${search.toLowerCase()})`
    )
  }
  return pageByKey(db, query, {
    name: 'prices by country name',
    all,
    keys: [
      { of: sql`coalesce(array_position(${inOrder}::text[], network.country), ${inOrder.length + 1})`, is: 'number' },
      { of: sql.ref('network.name'), is: 'text' },
      { of: sql.ref('network.mccmnc'), is: 'text' },
    ],
    order: 'asc',
    rows: (page) =>
      page
        .select(['mccmnc', 'name', 'country', 'rats'])
        .select([
          zoneIn(number).as('zone_id'),
          priceIn(number).as('listed'),
          zoneIn(next).as('next_zone'),
          priceIn(next).as('next_listed'),
        ]),
    items: (rows) =>
      rows.map(({ mccmnc, name, country: of, rats, zone_id, listed, next_zone, next_listed }) => {
        const own = zone_id === null ? undefined : own_prices[zone_id]
        const price = own ?? listed
        const after = next_zone === null ? null : (own_prices[next_zone] ?? next_listed)
        return {
          mccmnc,
          name,
          country: of || (countryOf(mccmnc) ?? ''),
          rats,
          zone_id,
          price_micros: money(price),
          list_price_micros: money(own === undefined ? null : listed),
          next_price_micros: money(next === null || after === price ? null : after),
          groups: groupsOf && groupsOf({ mccmnc, rats }),
        }
      }),
  })
}

const exported = [
  'mccmnc',
  'name',
  'country',
  'rats',
  'zone_id',
  'price_micros',
  'list_price_micros',
  'next_price_micros',
  'groups',
] as const

/** All that match as CSV, in the same order. */
export const exportPrices = (db: Db, ask: () => Promise<Asked>, filter: PriceFilter): AsyncGenerator<string> =>
  csvOf({ columns: exported, rows: rowsOf(db, ask, filter) })

async function* rowsOf(db: Db, ask: () => Promise<Asked>, filter: PriceFilter) {
  const asked = await ask()
  for (let after: string | undefined, more = true; more;) {
    const { items, next } = await listPrices(db, asked, { ...filter, page: 1, page_size: 500, after })
    yield items.map((row) => exported.map((column) => (column === 'rats' ? row.rats.join(';') : row[column])))
    after = next ?? undefined
    more = next !== null
  }
}
