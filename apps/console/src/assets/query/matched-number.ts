import type { Asset } from '@masthead/contract/assets/asset'
import { parseAssetQuery, type AssetQuery } from '@masthead/contract/assets/query/query'

/** The words of a search, outside of conditions and of what must not be there. */
export function wordsIn(text: string): string[] {
  const { query } = parseAssetQuery(text)
  return query ? wordsOf(query) : []
}
const wordsOf = (query: AssetQuery): string[] => {
  if ('word' in query) return [query.word.toLowerCase()]
  if ('all' in query) return query.all.flatMap(wordsOf)
  return 'any' in query ? query.any.flatMap(wordsOf) : []
}

/** The number by which a search found an asset, where its row would not show it: neither its name nor the number below has one of the words. */
export function matchedNumber({ name, serial, sim }: Asset, words: readonly string[]): { label: string; number: string } | null {
  const numbers = { IMSI: sim?.imsi, MSISDN: sim?.msisdn, IMEI: sim?.imei, EID: sim?.eid, Serial: serial, IP: sim?.session?.ip }
  const has = (text: string | null | undefined, word: string) => text?.toLowerCase().includes(word) ?? false
  for (const word of words) {
    if (has(name, word) || has(sim?.iccid ?? serial, word)) continue
    const bare = word.replaceAll(/[\s+().-]/g, '')
    const found = Object.entries(numbers).find(([, number]) => has(number, word) || (/^\d{3,}$/.test(bare) && has(number, bare)))
    if (found) return { label: found[0], number: found[1]! }
  }
  return null
}
