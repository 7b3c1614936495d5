import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './run.ts'
import { closePole, cutRing, packRing, unwrap, type Ring } from './world-cut.ts'

const fiji: Ring = [
  [178, -16],
  [-178, -16],
  [-178, -18],
  [178, -18],
  [178, -16],
]

describe('a ring over the antimeridian', () => {
  test('goes on beyond 180', () => expect(unwrap(fiji).map(([lon]) => lon)).toEqual([178, 182, 182, 178, 178]))
  test('is cut in two, each on its side of the map', () => {
    const parts = cutRing(fiji)
    expect(parts).toHaveLength(2)
    const spans = parts.map((part) => [Math.min(...part.map(([lon]) => lon)), Math.max(...part.map(([lon]) => lon))])
    expect(spans).toEqual([
      [178, 180],
      [-180, -178],
    ])
  })
  test('elsewhere stays as it is', () => {
    const square: Ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ]
    expect(cutRing(square)).toEqual([square])
  })
})

test('a ring around a pole is closed along the edge of the map', () => {
  const south: Ring = [
    [-180, -70],
    [-60, -75],
    [60, -72],
    [180, -70],
  ]
  expect(closePole(south).slice(-3)).toEqual([
    [180, -90],
    [-180, -90],
    [-180, -70],
  ])
})

test('packing keeps steps, and drops what is too small to be seen', () => {
  expect(
    packRing(
      [
        [1, 1],
        [1.04, 1],
        [2, 1],
        [2, 2],
      ],
      10
    )
  ).toEqual([10, 10, 10, 0, 0, 10])
  expect(
    packRing(
      [
        [1, 1],
        [1.01, 1],
        [1, 1.01],
      ],
      10
    )
  ).toEqual([])
})

describe('the map that was made', () => {
  const world = JSON.parse(readFileSync(join(root, 'apps/console/src/ui/world.json'), 'utf8')) as {
    scale: number
    countries: [string, number[][]][]
  }
  test('has no line from one side to the other, and nothing beyond its edges', () => {
    for (const [code, rings] of world.countries)
      for (const ring of rings) {
        let lon = 0
        for (let at = 0; at < ring.length; at += 2) {
          lon += ring[at]!
          expect(Math.abs(lon), code).toBeLessThanOrEqual(180 * world.scale)
          // Antarctica alone goes along the whole edge at the pole.
          if (at > 0 && code !== 'AQ') expect(Math.abs(ring[at]!) / world.scale, code).toBeLessThan(90)
        }
      }
  })
  test('has each country once, by its two letters', () => {
    const codes = world.countries.map(([code]) => code).filter(Boolean)
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes).toEqual(expect.arrayContaining(['RU', 'FJ', 'AQ', 'US', 'NL', 'XK']))
    expect(codes.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true)
  })
})
