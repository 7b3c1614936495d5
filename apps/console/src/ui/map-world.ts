import type { LatLngTuple } from 'leaflet'
import world from './world.json'

export type Country = {
  /** Two letters (ISO 3166-1); empty for land without any. */
  code: string
  /** Rings of latitude and longitude; a ring inside another is a hole. */
  rings: LatLngTuple[][]
}

const unpacked = (ring: readonly number[]): LatLngTuple[] => {
  let [lon, lat] = [0, 0]
  const points: LatLngTuple[] = []
  for (let at = 0; at < ring.length; at += 2) {
    lon += ring[at]!
    lat += ring[at + 1]!
    points.push([lat / world.scale, lon / world.scale])
  }
  return points
}

/** The countries of the world, from the map that tools/world-map.ts made. */
export const worldCountries = (): Country[] =>
  (world.countries as unknown as [string, number[][]][]).map(([code, rings]) => ({ code, rings: rings.map(unpacked) }))
