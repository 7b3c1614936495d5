import { House, List, Map as MapIcon, Minus, Plus } from 'lucide-react'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { IconButton } from './Button.tsx'
import { countryName } from './country-name.ts'
import type { MapHandle, MapTiles } from './MapCanvas.tsx'
import { MapList } from './MapList.tsx'
import { placedMarkers, type Markers } from './map-points.ts'
import { stepsOf } from './map-steps.ts'
import { Skeleton } from './Skeleton.tsx'

export type { Markers } from './map-points.ts'
export type { MapTiles } from './MapCanvas.tsx'

const MapCanvas = lazy(() => import('./MapCanvas.tsx').then((module) => ({ default: module.MapCanvas })))

const noMarkers: Markers = {}
const noValues: Readonly<Record<string, number>> = {}
const noMarks = {}
const noCountries: readonly string[] = []

/**
 * A map of the world: markers by label, which cluster where they would stand on each other, or countries shaded by a measure. Pressing a
 * marker selects it and flies there. It needs no other server; with `tiles` it shows streets. Everything on it can also be read as a list,
 * and reached by keyboard. Pass the same objects while nothing changed.
 */
export function MapView({
  label,
  height = 320,
  markers = noMarkers,
  onSelect,
  values = noValues,
  format = String,
  marks = noMarks,
  onCountry,
  nameOf,
  tiles = null,
  flyTo = null,
  opensOn = noCountries,
}: {
  label: string
  height?: number
  markers?: Markers
  onSelect?: (label: string) => void
  /** By the two letters of a country (ISO 3166-1). */
  values?: Readonly<Record<string, number>>
  /** How a value of a country is written. */
  format?: (value: number) => string
  /** Countries by their two letters that are marked: `whole`, `part` or `lost`. The caller says what they mean, and lists the countries: the map alone cannot be read. */
  marks?: Readonly<Record<string, 'whole' | 'part' | 'lost'>>
  /** A country was pressed: on the map, where countries are no stops for Tab, or in the list of their values. Without values, keep another way to it. */
  onCountry?: (code: string) => void
  /** What a hover over a country says. */
  nameOf?: (code: string) => string
  tiles?: MapTiles | null
  /** A marker to fly to, when it changes. */
  flyTo?: string | null
  /** The countries that it shows when it opens; none: the world. */
  opensOn?: readonly string[]
}) {
  const [asList, setAsList] = useState(false)
  // Chosen in the list; its map is there a moment later.
  const [chosen, setChosen] = useState<string | null>(null)
  const map = useRef<MapHandle>(null)
  const steps = useMemo(() => stepsOf(Object.values(values)), [values])
  const placed = useMemo(() => placedMarkers(markers), [markers])
  const control = 'rounded-none first:rounded-t-md last:rounded-b-md not-first:-mt-px'
  return (
    <figure aria-label={label} className="relative grid min-w-0 gap-1">
      {asList ? (
        <MapList
          label={label}
          height={height}
          points={placed}
          values={values}
          format={format}
          {...(onCountry && { onCountry })}
          onSelect={(name) => {
            setChosen(name)
            setAsList(false)
            onSelect?.(name)
          }}
        />
      ) : (
        <div className="relative">
          <Suspense
            fallback={
              <div style={{ height }}>
                <Skeleton className="h-full w-full" />
              </div>
            }
          >
            <MapCanvas
              ref={map}
              label={label}
              height={height}
              markers={markers}
              onSelect={(name) => onSelect?.(name)}
              values={values}
              steps={steps}
              marks={marks}
              onCountry={onCountry}
              nameOf={nameOf ?? ((code) => (values[code] === undefined ? '' : `${countryName(code)}: ${format(values[code])}`))}
              tiles={tiles}
              target={chosen ?? flyTo}
              opensOn={opensOn}
            />
          </Suspense>
          <span className="absolute top-2 right-2 z-1 flex flex-col">
            <IconButton
              label="Zoom in"
              icon={Plus}
              size="small"
              color="secondary"
              className={control}
              onClick={() => map.current?.zoom(1)}
            />
            <IconButton
              label="Zoom out"
              icon={Minus}
              size="small"
              color="secondary"
              className={control}
              onClick={() => map.current?.zoom(-1)}
            />
            <IconButton
              label="Show the world"
              icon={House}
              size="small"
              color="secondary"
              className={control}
              onClick={() => map.current?.home()}
            />
          </span>
        </div>
      )}
      {(!onCountry || steps.length > 0 || placed.length > 0) && (
        <figcaption className="flex items-center gap-3 text-xs text-fg-3">
          {steps.length > 0 && <Steps steps={steps} format={format} />}
          <IconButton
            label={asList ? 'Show as a map' : 'Show as a list'}
            icon={asList ? MapIcon : List}
            size="small"
            className="ml-auto"
            onClick={() => {
              setChosen(null)
              setAsList(!asList)
            }}
          />
        </figcaption>
      )}
    </figure>
  )
}

/** What the shades mean: from the lowest value of the first to that of the last. */
function Steps({ steps, format }: { steps: readonly number[]; format: (value: number) => string }) {
  return (
    <span className="flex items-center gap-1.5">
      {steps.length > 1 && (
        <>
          {format(steps[0]!)} <span className="sr-only">to</span>
        </>
      )}
      <span className="flex" aria-hidden>
        {steps.map((lowest, step) => (
          <span key={lowest} className="map-step h-2 w-5" data-step={Math.round(((step + 1) * 5) / steps.length)} />
        ))}
      </span>
      {format(steps.at(-1)!)} and more
    </span>
  )
}
