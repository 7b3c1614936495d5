import * as L from 'leaflet'
import { clusterPoints, cornersOf, type Cluster, type MapPoint } from './map-points.ts'

type MarkerActions = { onSelect: (label: string) => void; isCalm: () => boolean }

/** Of more clusters those around what is seen are drawn: the rest comes as the map is moved there. */
const mostDrawn = 500

const keyOf = ({ points }: Cluster) => `${points[0]!.label} ${points.length}`

function iconOf({ points }: Cluster) {
  const element = document.createElement('span')
  element.className = points.length > 1 ? 'map-cluster' : 'map-pin'
  if (points.length > 1) element.textContent = points.length.toLocaleString('en')
  // Its own size, wide enough to be pressed whatever it shows.
  return L.divIcon({ html: element, className: 'map-icon', iconSize: [28, 28] })
}

/** At the deepest zoom, or in one place, points cannot be told apart by zooming: their names are listed. */
function listOf(points: readonly MapPoint[], onSelect: (label: string) => void) {
  const list = document.createElement('ul')
  for (const { label } of points.slice(0, 20)) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', () => onSelect(label))
    const item = document.createElement('li')
    item.append(button)
    list.append(item)
  }
  if (points.length > 20) {
    const rest = document.createElement('li')
    rest.textContent = `... and ${points.length - 20} more`
    list.append(rest)
  }
  return list
}

/** Draws markers and keeps them clustered as the map zooms; returns how to take them away. The focus stays on what it was on. */
export function drawMarkers(map: L.Map, points: readonly MapPoint[], { onSelect, isCalm }: MarkerActions): () => void {
  const layer = L.layerGroup().addTo(map)
  const place = (point: MapPoint) => map.project([point.lat, point.lon])

  const press = ({ points: inside }: Cluster) => {
    if (inside.length === 1) return onSelect(inside[0]!.label)
    const corners = cornersOf(inside)
    const deepest = map.getBoundsZoom(corners)
    const isOnePlace = corners[0].join() === corners[1].join()
    if (!isOnePlace && deepest > map.getZoom()) return map.fitBounds(corners, { padding: [40, 40], maxZoom: 16, animate: !isCalm() })
    L.popup({ className: 'map-list', closeButton: false, autoPan: true })
      .setLatLng([inside[0]!.lat, inside[0]!.lon])
      .setContent(listOf(inside, onSelect))
      .openOn(map)
  }

  let leftOut = false
  const seen = (clusters: Cluster[]) => {
    const around = map.getBounds().pad(0.25)
    return clusters.filter(({ x, y }) => around.contains(map.unproject([x, y])))
  }
  const draw = () => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.cluster
    const hadFocus = focused !== undefined && map.getContainer().contains(document.activeElement)
    layer.clearLayers()
    const clusters = clusterPoints(points, place)
    leftOut = clusters.length > mostDrawn
    for (const cluster of leftOut ? seen(clusters) : clusters) {
      const [first] = cluster.points as [MapPoint]
      const words = cluster.points.length === 1 ? first.label : `${cluster.points.length} markers around ${first.label}`
      const marker = L.marker(map.unproject([cluster.x, cluster.y]), { icon: iconOf(cluster), keyboard: true, riseOnHover: true })
      marker.bindTooltip(words, { className: 'map-tip', direction: 'top', offset: [0, -8] })
      layer.addLayer(marker)
      const element = marker.getElement()!
      element.setAttribute('aria-label', words)
      element.dataset.cluster = keyOf(cluster)
      marker.on('click', () => press(cluster))
      element.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        event.stopPropagation()
        press(cluster)
      })
      if (hadFocus && element.dataset.cluster === focused) element.focus({ preventScroll: true })
    }
    if (hadFocus && !map.getContainer().contains(document.activeElement)) map.getContainer().focus({ preventScroll: true })
  }
  draw()
  const moved = () => leftOut && draw()
  map.on('zoomend', draw)
  map.on('moveend', moved)
  return () => {
    map.off('zoomend', draw)
    map.off('moveend', moved)
    layer.remove()
  }
}
