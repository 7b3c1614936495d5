import { expect, test } from 'vitest'
import { cornersOfCountries } from './map-points.ts'

const square = (lat: number, lon: number, size: number): [number, number][] => [
  [lat, lon],
  [lat, lon + size],
  [lat + size, lon + size],
  [lat + size, lon],
]
const world = [
  { code: 'FR', rings: [square(3, -53, 2), square(43, -4, 8)] },
  { code: 'DE', rings: [square(47, 6, 8)] },
  { code: 'AU', rings: [square(-39, 113, 30)] },
  { code: 'XX', rings: [] },
]

test('the corners around countries leave out what they have overseas', () => {
  expect(cornersOfCountries(world, new Set(['FR', 'DE']))).toEqual([
    [43, -4],
    [55, 14],
  ])
  expect(cornersOfCountries(world, new Set(['AU']))).toEqual([
    [-39, 113],
    [-9, 143],
  ])
})

test('no country, or none that is on the map, has no corners', () => {
  expect(cornersOfCountries(world, new Set())).toBeNull()
  expect(cornersOfCountries(world, new Set(['XX', 'ZZ']))).toBeNull()
})
