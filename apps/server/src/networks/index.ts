export { countryOf } from './countries.ts'
export { loadNetworks, networksOf } from './network-queries.ts'
