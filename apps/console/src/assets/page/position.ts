import type { Position } from '@masthead/contract/assets/place-operations'

/** As maps give it: "52.2297, -21.0122". What is no position is left as typed, so that the form says so. */
export function readPosition(text: string): Position | string {
  const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)[\s,;]+(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? []
  return latitude && longitude ? { latitude: Number(latitude), longitude: Number(longitude) } : text
}

export const positionWords = ({ latitude, longitude }: Position): string => `${latitude}, ${longitude}`
