// Rings of longitude and latitude, as the world has them, into rings a flat map can draw.

export type Point = readonly [lon: number, lat: number]
export type Ring = readonly Point[]

/** Longitudes that go on beyond 180 in place of jumping to the other side. */
export function unwrap(ring: Ring): Point[] {
  let shift = 0
  return ring.map(([lon, lat], at) => {
    const before = ring[at - 1]
    if (before) {
      if (lon - before[0] > 180) shift -= 360
      else if (lon - before[0] < -180) shift += 360
    }
    return [lon + shift, lat]
  })
}

/** A ring around a pole does not come back to where it began: it is closed along the edge of the map. */
export function closePole(ring: Ring): Ring {
  const [first, last] = [ring[0]!, ring.at(-1)!]
  if (Math.abs(last[0] - first[0]) < 180) return ring
  const pole = ring.reduce((sum, [, lat]) => sum + lat, 0) < 0 ? -90 : 90
  return [...ring, [last[0], pole], [first[0], pole], first]
}

/** The part of a ring on one side of a meridian (Sutherland and Hodgman, 1974). */
function clip(ring: Ring, meridian: number, side: 1 | -1): Point[] {
  const inside = ([lon]: Point) => (lon - meridian) * side >= 0
  const kept: Point[] = []
  ring.forEach((point, at) => {
    const before = ring[(at - 1 + ring.length) % ring.length]!
    if (inside(point) !== inside(before)) {
      const part = (meridian - before[0]) / (point[0] - before[0])
      kept.push([meridian, before[1] + part * (point[1] - before[1])])
    }
    if (inside(point)) kept.push(point)
  })
  return kept
}

/** A ring cut at the antimeridian: one ring for each side, all between -180 and 180. */
export function cutRing(ring: Ring): Point[][] {
  const whole = closePole(unwrap(ring))
  const turns = whole.map(([lon]) => Math.floor((lon + 180) / 360))
  const parts: Point[][] = []
  for (let turn = Math.min(...turns); turn <= Math.max(...turns); turn++) {
    const west = turn * 360 - 180
    const part = clip(clip(whole, west, 1), west + 360, -1)
    if (part.length > 2) parts.push(part.map(([lon, lat]) => [lon - turn * 360, lat]))
  }
  return parts
}

/** A ring in whole steps of `1 / scale` degrees, each point as the way from the one before. Nothing for one too small to be seen. */
export function packRing(ring: Ring, scale: number): number[] {
  const packed: number[] = []
  let [x, y] = [0, 0]
  let count = 0
  for (const [lon, lat] of ring) {
    const [toX, toY] = [Math.round(lon * scale), Math.round(lat * scale)]
    if (count > 0 && toX === x && toY === y) continue
    packed.push(toX - x, toY - y)
    ;[x, y] = [toX, toY]
    count++
  }
  return count < 3 ? [] : packed
}
