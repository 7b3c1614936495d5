import { countryOf } from '@masthead/contract/networks/countries'
import { allowsNetwork } from '@masthead/contract/network-groups/rules'
import type { Network } from '@masthead/contract/networks/network'
import { countryName } from '../ui/country-name.ts'
import type { Places } from './places-words.ts'

/** A country with its operators, as one chooses them. Networks of shared codes are together under `''`. */
export type Land = { code: string; name: string; networks: readonly Network[] }

/** The networks by country, countries by name. The country of a network is that of its MCC, as when a SIM asks. */
export function landsOf(networks: readonly Network[]): Land[] {
  const byCountry = Map.groupBy(networks, ({ mccmnc }) => countryOf(mccmnc) ?? '')
  return Array.from(byCountry, ([code, own]) => ({
    code,
    name: code === '' ? 'International' : countryName(code),
    networks: own,
  })).toSorted((a, b) => Number(a.code === '') - Number(b.code === '') || a.name.localeCompare(b.name))
}

export type Share = 'whole' | 'part' | 'none'

/** How much of a country is allowed. */
export function shareOf({ countries, networks }: Places, land: Land): Share {
  if (countries === null || countries.includes(land.code)) return 'whole'
  const allowed = land.networks.filter(({ mccmnc }) => networks.includes(mccmnc)).length
  // Shared codes have no country of their own: all of them are as much as there can be.
  if (land.code === '' && allowed > 0 && allowed === land.networks.length) return 'whole'
  return allowed > 0 ? 'part' : 'none'
}

const named = ({ countries }: Places, lands: readonly Land[]) => countries ?? lands.flatMap(({ code }) => (code === '' ? [] : [code]))
const networksNamed = ({ countries, networks }: Places, lands: readonly Land[]) =>
  countries === null ? lands.flatMap((land) => (land.code === '' ? land.networks.map(({ mccmnc }) => mccmnc) : [])) : networks

/** A country as a whole, or nothing of it. From everywhere, everything else is named. */
export function toggleLand(places: Places, land: Land, lands: readonly Land[]): Places {
  const own = new Set(land.networks.map(({ mccmnc }) => mccmnc))
  const others = networksNamed(places, lands).filter((mccmnc) => !own.has(mccmnc))
  const countries = named(places, lands).filter((code) => code !== land.code)
  if (shareOf(places, land) === 'whole') return { countries, networks: others }
  return land.code === '' ? { countries, networks: [...others, ...own] } : { countries: [...countries, land.code], networks: others }
}

/** One operator of a country; all of them together are the country as a whole. */
export function toggleNetwork(places: Places, land: Land, mccmnc: string, lands: readonly Land[]): Places {
  const own = new Set(land.networks.map((network) => network.mccmnc))
  const allowed = land.networks.flatMap((network) => (allowsNetwork(places, network.mccmnc) ? [network.mccmnc] : []))
  const now = allowed.includes(mccmnc) ? allowed.filter((each) => each !== mccmnc) : [...allowed, mccmnc]
  const others = networksNamed(places, lands).filter((each) => !own.has(each))
  const countries = named(places, lands).filter((code) => code !== land.code)
  return land.code !== '' && now.length === own.size
    ? { countries: [...countries, land.code], networks: others }
    : { countries, networks: [...others, ...now] }
}

const eea = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IS IE IT LV LI LT LU MT NL NO PL PT RO SK SI ES SE'.split(' ')
const europe = [...eea, ...'AD AL BA BY CH FO GB GI MC MD ME MK RS RU SM TR UA VA XK'.split(' ')]
export const regions = [
  { label: 'European Union and EEA', countries: eea },
  { label: 'Europe', countries: europe },
  { label: 'United States and Canada', countries: ['US', 'CA'] },
] as const
