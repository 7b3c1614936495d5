import { blockCodes, type BlockCode } from '@masthead/contract/assets/sim'
import { lower } from '../sim-words.ts'

/** A reason why a SIM has no service, inside a sentence. Its words may begin with what its code says: that is said once. */
export function askedWords({ code, words }: { code: BlockCode | 'state'; words: string }): string {
  if (code === 'state') return `the SIM is ${lower(words)}`
  return words.startsWith(blockCodes[code]) ? lower(words) : `${lower(blockCodes[code])} (${words})`
}
