// What other areas may use of advisories.
export { getLoad } from './advisory-queries.ts'
export { matchVersion } from './match-versions.ts'
export { readerOf } from './versions/compare.ts'
