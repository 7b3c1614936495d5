import type { LatLngTuple } from 'leaflet'

/** Markers by their label (spec §3); a pair with a missing value is skipped. Degrees. */
export type Markers = Readonly<Record<string, readonly (number | null | undefined)[]>>

export type MapPoint = { label: string; lat: number; lon: number }

/** The markers that have a place. */
export const placedMarkers = (markers: Markers): MapPoint[] =>
  Object.entries(markers).flatMap(([label, [lat, lon]]) =>
    typeof lat === 'number' && typeof lon === 'number' && Number.isFinite(lat) && Number.isFinite(lon) ? [{ label, lat, lon }] : []
  )

export type Cluster = { x: number; y: number; points: MapPoint[] }

/**
 * Points that would stand on each other, together. `place` says where a point is in pixels; a point joins the first cluster within `radius`.
 * A grid of cells as wide as the radius keeps it from comparing all with all.
 */
export function clusterPoints(points: readonly MapPoint[], place: (point: MapPoint) => { x: number; y: number }, radius = 40): Cluster[] {
  const clusters: Cluster[] = []
  const cells = new Map<string, Cluster[]>()
  for (const point of points) {
    const { x, y } = place(point)
    const [column, row] = [Math.floor(x / radius), Math.floor(y / radius)]
    const near = [-1, 0, 1].flatMap((right) => [-1, 0, 1].flatMap((down) => cells.get(`${column + right} ${row + down}`) ?? []))
    const found = near.find((cluster) => Math.hypot(cluster.x - x, cluster.y - y) < radius)
    if (found) {
      found.points.push(point)
      continue
    }
    const made = { x, y, points: [point] }
    clusters.push(made)
    const key = `${column} ${row}`
    cells.set(key, [...(cells.get(key) ?? []), made])
  }
  return clusters
}

/** The south-west and north-east corners around points. */
export function cornersOf(points: readonly MapPoint[]): [[number, number], [number, number]] {
  const lats = points.map((point) => point.lat)
  const lons = points.map((point) => point.lon)
  return [
    [Math.min(...lats), Math.min(...lons)],
    [Math.max(...lats), Math.max(...lons)],
  ]
}

/**
 * The corners around countries, each by the largest of its rings: with what it has overseas, France would be half the world. Null where there are none.
 */
export function cornersOfCountries(
  countries: readonly { code: string; rings: readonly (readonly LatLngTuple[])[] }[],
  codes: ReadonlySet<string>
): [[number, number], [number, number]] | null {
  const pointsOf = (ring: readonly LatLngTuple[]) => ring.map(([lat, lon]) => ({ label: '', lat, lon }))
  const area = ([[south, west], [north, east]]: ReturnType<typeof cornersOf>) => (north - south) * (east - west)
  const largest = countries
    .filter(({ code, rings }) => codes.has(code) && rings.length > 0)
    .map(({ rings }) => rings.map((ring) => cornersOf(pointsOf(ring))).reduce((most, each) => (area(each) > area(most) ? each : most)))
  return largest.length === 0 ? null : cornersOf(largest.flat().map(([lat, lon]) => ({ label: '', lat, lon })))
}
