import * as L from 'leaflet'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react'
import mapStyles from './map.css?url'
import { drawMarkers } from './map-markers.ts'
import { cornersOfCountries, placedMarkers, type Markers } from './map-points.ts'
import { stepOf } from './map-steps.ts'
import { mapFlight, mapNearest, mapStart } from './map-view.ts'
import { type Country, worldCountries } from './map-world.ts'

/** Where tiles come from: "https://tiles.example.test/{z}/{x}/{y}.png", and whose they are, as plain words. */
export type MapTiles = { url: string; attribution: string }

export type MapHandle = { zoom: (by: 1 | -1) => void; home: () => void }

/** The styles of Leaflet come with the first map, not with the first screen. */
function loadStyles() {
  if (document.querySelector('link[data-map]')) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = mapStyles
  link.dataset.map = ''
  document.head.append(link)
}

/** Leaflet takes markup there. */
const asMarkup = (words: string) => {
  const element = document.createElement('span')
  element.textContent = words
  return element.innerHTML
}

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The map itself, loaded with the first one. Its colours are CSS: the theme needs nothing drawn again. */
export function MapCanvas({
  label,
  height,
  markers,
  onSelect,
  values,
  steps,
  marks,
  onCountry,
  nameOf,
  tiles,
  target,
  opensOn,
  ref,
}: {
  label: string
  height: number
  markers: Markers
  onSelect: (label: string) => void
  values: Readonly<Record<string, number>>
  steps: readonly number[]
  /** Countries that are told apart by a mark in place of a shade: `map-country[data-mark]` of the styles. */
  marks: Readonly<Record<string, string>>
  onCountry: ((code: string) => void) | undefined
  /** What a hover over a country says. */
  nameOf: (code: string) => string
  tiles: MapTiles | null
  /** The marker to fly to. */
  target: string | null
  /** The countries that it shows at first; none: the world. */
  opensOn: readonly string[]
  ref: Ref<MapHandle>
}) {
  const place = useRef<HTMLDivElement>(null)
  const map = useRef<L.Map>(undefined)
  const countries = useRef<L.Polygon[]>([])

  const flyTo = useEffectEvent((name: string) => {
    const point = placedMarkers(markers).find((one) => one.label === name)
    if (!point) return
    const to: L.LatLngTuple = [point.lat, point.lon]
    if (isCalm()) map.current?.setView(to, mapFlight.zoom, { animate: false })
    else map.current?.flyTo(to, mapFlight.zoom, { duration: mapFlight.seconds })
  })
  const select = useEffectEvent((name: string) => onSelect(name))
  const hoverName = useEffectEvent((code: string) => nameOf(code))
  const press = useEffectEvent((code: string) => onCountry?.(code))
  const openOn = useEffectEvent((made: L.Map, world: readonly Country[]) => {
    const corners = cornersOfCountries(world, new Set(opensOn))
    if (corners) made.fitBounds(corners, { animate: false, ...mapNearest })
  })
  useImperativeHandle(ref, () => ({
    zoom: (by) => void map.current?.setZoom(map.current.getZoom() + by, { animate: !isCalm() }),
    // A pan would end on whole pixels beside it.
    home: () => void map.current?.setView(mapStart.center, mapStart.zoom, { reset: true } as L.ZoomPanOptions),
  }))

  useEffect(() => {
    loadStyles()
    const element = place.current!
    const made = L.map(element, {
      ...mapStart,
      zoomControl: false,
      // Its size is watched below. Leaflet would say later that it moved, also once it is gone.
      trackResize: false,
      attributionControl: false,
      minZoom: 1,
      maxZoom: 18,
      worldCopyJump: true,
      // A page that is scrolled past a map must go on scrolling.
      scrollWheelZoom: false,
      maxBounds: [
        [-85, -540],
        [85, 540],
      ],
      fadeAnimation: !isCalm(),
      zoomAnimation: !isCalm(),
      markerZoomAnimation: !isCalm(),
    })
    map.current = made
    // Leaflet glides to a marker that takes the focus and to a list that opens, whatever the system asks for.
    const panBy = made.panBy.bind(made)
    made.panBy = (offset, options) => panBy(offset, isCalm() ? { ...options, animate: false } : options)
    const say = () => {
      const { lat, lng } = made.getCenter()
      element.dataset.zoom = String(made.getZoom())
      element.dataset.center = `${lat.toFixed(2)},${lng.toFixed(2)}`
    }
    made.on('moveend', say)
    made.on('focus', () => made.scrollWheelZoom.enable())
    made.on('blur', () => made.scrollWheelZoom.disable())
    const world = worldCountries()
    openOn(made, world)
    say()
    countries.current = drawWorld(
      made,
      world,
      (code) => hoverName(code),
      (code) => press(code)
    )
    const resized = new ResizeObserver(() => made.invalidateSize({ animate: false }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.remove()
      map.current = undefined
    }
  }, [])

  useEffect(() => {
    const stop = drawMarkers(map.current!, placedMarkers(markers), {
      onSelect: (name) => {
        select(name)
        flyTo(name)
      },
      isCalm,
    })
    return stop
  }, [markers])

  useEffect(() => {
    for (const country of countries.current) {
      const { code } = country.options as { code?: string }
      const step = stepOf(values[code ?? ''] ?? 0, steps)
      const path = country.getElement() as SVGElement | undefined
      if (!path) continue
      if (step < 0) delete path.dataset.step
      else path.dataset.step = String(Math.round(((step + 1) * 5) / steps.length))
      const mark = marks[code ?? '']
      if (mark === undefined) delete path.dataset.mark
      else path.dataset.mark = mark
    }
  }, [values, steps, marks])

  useEffect(() => {
    if (target) flyTo(target)
  }, [target])

  useEffect(() => {
    if (!tiles) return
    // Tile servers want to know which site asks, not where in it one is; a page of ours sends that to nobody else.
    const layer = L.tileLayer(tiles.url, { maxZoom: 18, referrerPolicy: 'origin' }).addTo(map.current!)
    const owner = L.control.attribution({ prefix: false }).addAttribution(asMarkup(tiles.attribution)).addTo(map.current!)
    return () => {
      layer.remove()
      owner.remove()
    }
  }, [tiles])

  return (
    <div
      ref={place}
      role="application"
      aria-label={label}
      aria-description="Arrow keys move the map, + and - zoom, Tab goes from marker to marker."
      className="map-canvas rounded-md"
      data-tiles={tiles ? '' : undefined}
      data-picks={onCountry ? '' : undefined}
      style={{ height }}
    />
  )
}

/** The countries, once where they are and once on each side, so that the map goes on around the world. */
function drawWorld(map: L.Map, world: readonly Country[], nameOf: (code: string) => string, onPress: (code: string) => void): L.Polygon[] {
  const renderer = L.svg({ padding: 0.5 })
  const tip = L.tooltip({ className: 'map-tip', direction: 'top' })
  return world.flatMap(({ code, rings }) =>
    [-360, 0, 360].map((turn) => {
      const moved = turn === 0 ? rings : rings.map((ring) => ring.map(([lat, lon]): L.LatLngTuple => [lat, lon + turn]))
      // Each ring is a part of its own but for holes, which the even-odd rule leaves open.
      const country = L.polygon(moved, {
        renderer,
        code,
        className: 'map-country',
        fillRule: 'evenodd',
        smoothFactor: 0.5,
      } as L.PolylineOptions)
      // Not bound to it: that would make of each country a stop for Tab.
      const say = ({ latlng }: L.LeafletMouseEvent) => {
        const name = nameOf(code)
        if (name !== '') tip.setLatLng(latlng).setContent(name).openOn(map)
      }
      country.on('mouseover', say)
      country.on('mousemove', say)
      country.on('mouseout', () => tip.close())
      country.on('click', () => code !== '' && onPress(code))
      return country.addTo(map)
    })
  )
}
