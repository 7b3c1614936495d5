import type { Reading } from '../reading.ts'
import type { By } from './test-slow-gateways.ts'

export type Card = { iccid: string; imsi: string; msisdn: string; asset_id: string }

let cardsMade = 0
/** A SIM's numbers, which no other history has. */
export function nextCard(): Card {
  const digits = String(++cardsMade).padStart(8, '0')
  return { iccid: `89310801000${digits}`, imsi: `2040801${digits}`, msisdn: `3197${digits}`, asset_id: '' }
}

/** What a packet says of whose it is. */
export function identity(by: By, { imsi, msisdn }: Card): Pick<Reading, 'imsi' | 'msisdn' | 'user_name'> {
  const none = { imsi: null, msisdn: null, user_name: null }
  switch (by) {
    case 'imsi':
      return { ...none, imsi }
    case 'number':
      return { ...none, msisdn }
    case 'name':
      return { ...none, user_name: `${imsi}@example.org` }
    case 'unknown imsi':
      return { ...none, imsi: `9${imsi.slice(1)}`, msisdn }
    case 'unknown number':
      return { ...none, msisdn: `9${msisdn.slice(1)}`, user_name: imsi }
    case 'nothing':
      return none
  }
}
