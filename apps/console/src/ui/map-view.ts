/** spec §9: the view a map opens with. Degrees. */
export const mapStart = { center: [25, 0] as [lat: number, lon: number], zoom: 2 }
/** spec §9: how it flies to one marker. */
export const mapFlight = { zoom: 14, seconds: 5 }
/** How near it comes to the countries that it opens on: the next ones still show. */
export const mapNearest = 5
