import { expect, test } from 'vitest'
import { networkRefusal, type NetworkRules } from './rules.ts'

const open: NetworkRules = { name: 'Reefers', countries: null, networks: [], rats: null }
const on = (mccmnc: string | null, rat: string | null = null) => ({ mccmnc, rat })

test.each<[Partial<NetworkRules>, ReturnType<typeof on>, string | null]>([
  [{}, on('262-01', 'EUTRAN'), null],
  [{ countries: ['DE'] }, on('262-01'), null],
  [{ countries: ['DE'] }, on('260-06'), 'country'],
  [{ countries: [], networks: ['260-06'] }, on('260-06'), null],
  [{ countries: ['DE'], networks: ['260-06'] }, on('260-03'), 'operator'],
  // Shared codes have no country: such a network is allowed by itself, or not.
  [{ countries: ['DE'] }, on('901-28'), 'operator'],
  [{ countries: ['DE'], networks: ['901-28'] }, on('901-28'), null],
  [{ rats: ['NB-IoT', 'LTE-M'] }, on('262-01', 'EUTRAN'), 'rat'],
  [{ rats: ['UTRAN'] }, on('262-01', 'HSPA+'), null],
  [{ rats: ['EUTRAN'] }, on('262-01', 'WLAN'), null],
  // What is not named is not refused.
  [{ countries: ['DE'], rats: ['NR'] }, on(null), null],
  [{ countries: ['DE'] }, on(null, 'EUTRAN'), null],
])('%o at %o: %s', (rules, where, code) => {
  expect(networkRefusal({ ...open, ...rules }, where)?.code ?? null).toBe(code)
})

test('the words name the group and what it does not allow', () => {
  expect(networkRefusal({ ...open, countries: ['DE'] }, on('260-06'))!.words).toBe('Poland is not allowed by the network group Reefers')
  expect(networkRefusal({ ...open, rats: ['NR'] }, on(null, 'GERAN'))!.words).toBe('2G is not allowed by the network group Reefers')
})
