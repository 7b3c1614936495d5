/** spec §9: the view a map opens with. Degrees. */
export const mapStart = { center: [25, 0] as [lat: number, lon: number], zoom: 2 }
/** spec §9: how it flies to one marker. */
export const mapFlight = { zoom: 14, seconds: 5 }
/** How near a map comes to the countries that it opens on: the next ones still show. Their tips may be off it by so many pixels, as Europe is a little higher than most maps. */
export const mapNearest = { maxZoom: 5, padding: [-20, -20] as [x: number, y: number] }
