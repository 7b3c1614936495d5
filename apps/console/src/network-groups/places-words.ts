import { countryOf } from '@masthead/contract/networks/countries'
import { countryName } from '../ui/country-name.ts'

/** Where SIMs may be: `countries` null is everywhere. */
export type Places = { countries: readonly string[] | null; networks: readonly string[] }

/** "20 countries, 3 in part"; "Everywhere". */
export function placesWords(places: Places): { first: string; second: string | null } {
  const { countries, networks } = places
  if (countries === null) return { first: 'Everywhere', second: null }
  const part = new Set(networks.map((mccmnc) => countryOf(mccmnc)))
  const all = countries.length + part.size
  if (all === 0) return { first: 'Nowhere', second: 'No country is allowed' }
  // Of one it is its name, whole or in part.
  const [only] = [...countries, ...part]
  const operators = `${networks.length} ${networks.length === 1 ? 'operator' : 'operators'}`
  return {
    first: all === 1 ? (only ? countryName(only) : 'One country') : `${all} countries`,
    second: networks.length === 0 ? null : all === 1 ? operators : `${part.size} in part, ${operators}`,
  }
}
