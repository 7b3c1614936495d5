import { expect, test } from 'vitest'
import { landsOf, shareOf, toggleLand, toggleNetwork } from './choice.ts'
import { effectWords, takesService } from './effect-words.ts'
import { placesWords, type Places } from './places-words.ts'

const networks = ['262-01', '262-02', '260-06', '234-50', '901-28'].map((mccmnc) => ({ mccmnc, name: mccmnc, country: null }))
const lands = landsOf(networks)
const land = (code: string) => lands.find((each) => each.code === code)!
const everywhere: Places = { countries: null, networks: [] }
const shares = (places: Places) => Object.fromEntries(lands.map((each) => [each.code, shareOf(places, each)]))

test('networks are by the country of their code, shared codes last', () => {
  expect(lands.map(({ code, networks: own }) => [code, own.length])).toEqual([
    ['DE', 2],
    ['PL', 1],
    ['GB', 1],
    ['', 1],
  ])
})

test('one country less than everywhere names all the others, and the shared networks', () => {
  const less = toggleLand(everywhere, land('PL'), lands)
  expect(shares(less)).toEqual({ DE: 'whole', PL: 'none', GB: 'whole', '': 'whole' })
  expect(shares(toggleLand(less, land('PL'), lands))).toEqual(shares(everywhere))
})

test('one operator less is a country in part; given back, it is whole again', () => {
  const part = toggleNetwork({ countries: ['DE'], networks: [] }, land('DE'), '262-02', lands)
  expect(part).toEqual({ countries: [], networks: ['262-01'] })
  expect(shareOf(part, land('DE'))).toBe('part')
  expect(toggleNetwork(part, land('DE'), '262-02', lands)).toEqual({ countries: ['DE'], networks: [] })
  expect(toggleNetwork(part, land('DE'), '262-01', lands)).toEqual({ countries: [], networks: [] })
})

test('a country in part becomes whole when it is pressed, and then nothing', () => {
  const part: Places = { countries: [], networks: ['262-01'] }
  const whole = toggleLand(part, land('DE'), lands)
  expect(whole).toEqual({ countries: ['DE'], networks: [] })
  expect(toggleLand(whole, land('DE'), lands)).toEqual({ countries: [], networks: [] })
})

test.each([
  [everywhere, 'Everywhere', null],
  [{ countries: ['DE'], networks: [] }, 'Germany', null],
  [{ countries: [], networks: ['262-01'] }, 'Germany', '1 operator'],
  [{ countries: ['DE', 'PL'], networks: ['208-01', '208-10'] }, '3 countries', '1 in part, 2 operators'],
  [{ countries: [], networks: [] }, 'Nowhere', 'No country is allowed'],
])('%o in words', (places, first, second) => {
  expect(placesWords(places)).toEqual({ first, second })
})

test('what a change does to SIMs is said as far as it does anything', () => {
  const nothing = {
    sims: 3,
    attached: 3,
    cut: 0,
    stranded: 0,
    stranded_countries: [],
    blocked: 0,
    freed: 0,
    wrong_device: 0,
    device_freed: 0,
  }
  expect(effectWords(nothing, 'They are cut.')).toEqual([])
  const much = { ...nothing, cut: 2, stranded: 1, stranded_countries: ['HU'], blocked: 1, freed: 2, wrong_device: 3, device_freed: 1 }
  expect(effectWords(much, 'They are cut.')).toEqual([
    'They are cut.',
    '1 SIM in Hungary will find no allowed operator.',
    '1 SIM has reached the limit already and will be blocked.',
    '3 SIMs are in a device that is not accepted and will be blocked.',
    '2 SIMs will no longer be blocked for their data limit.',
    '1 SIM will no longer be blocked for its device.',
  ])
  expect([nothing, { ...nothing, freed: 2 }, much].map(takesService)).toEqual([false, false, true])
})
