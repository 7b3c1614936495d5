import type { ImeiLock } from '@masthead/contract/assets/device'

/** Which devices a SIM may be used in, in a few words. */
export function lockWords(mode: ImeiLock, imeis: readonly string[]): string {
  if (mode === 'off') return 'any device'
  if (mode === 'watch') return 'any device, watched'
  return imeis.length === 0 ? 'locked to the next device' : `locked to ${imeis.length === 1 ? imeis[0]! : `${imeis.length} devices`}`
}
