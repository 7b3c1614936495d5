import { isExpensive, type PriceList } from '@masthead/contract/billing/tariff'
import { lazy, Suspense, useMemo } from 'react'
import { countryName } from '../../ui/country-name.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useSeen } from '../../ui/use-seen.ts'
import { placesOf, priceWords } from './price-words.ts'

const MapView = lazy(() => import('../../ui/MapView.tsx').then((module) => ({ default: module.MapView })))

const mapHeight = 300

/** Countries shaded by what a megabyte costs in the zone that is cheapest there. It comes when it is looked at. */
export function PriceMap({ list, onCountry }: { list: PriceList; onCountry: (code: string) => void }) {
  const { currency } = list
  const prices = useMemo(() => Object.groupBy(placesOf(list), ({ country }) => country), [list])
  const values = useMemo(
    () => Object.fromEntries(Object.entries(prices).map(([country, places]) => [country, places![0]!.price_micros])),
    [prices]
  )
  const format = (micros: number) => priceWords(micros, currency)
  const [place, seen] = useSeen<HTMLDivElement>({ onlySeen: true })
  return (
    <Panel title="Price per MB" note="where it is cheapest in each country">
      <div ref={place} style={{ minHeight: mapHeight }}>
        {seen && (
          <Suspense fallback={<Skeleton className="h-75 w-full" />}>
            <MapView
              label="Price per MB by country"
              height={mapHeight}
              values={values}
              format={format}
              nameOf={(code) => {
                const there = prices[code]
                if (!there) return ''
                const words = there.map(
                  ({ zone_id, price_micros }) => `${zone_id} ${format(price_micros)}${isExpensive(price_micros) ? ', expensive' : ''}`
                )
                return `${countryName(code)}: ${words.join('; ')}`
              }}
              onCountry={(code) => prices[code] && onCountry(code)}
            />
          </Suspense>
        )}
      </div>
    </Panel>
  )
}
