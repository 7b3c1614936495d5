import type { PriceList } from '@masthead/contract/billing/tariff'
import { useMemo, useState } from 'react'
import { countryName } from '../../ui/country-name.ts'
import { NumberField } from '../../ui/NumberField.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { Select } from '../../ui/Select.tsx'
import { monthEstimate, placesOf, priceWords } from './price-words.ts'

/** Where data can be used: countries by their zones, in the order of their names; then zones that are in no country, as at sea. */
function optionsOf(list: PriceList) {
  const price = (micros: number) => `${priceWords(micros, list.currency)} per MB`
  const known = new Set(list.places.map(({ zone_id }) => zone_id))
  return [
    ...placesOf(list)
      .map(({ country, zone_id, price_micros }) => ({
        value: `${country} ${zone_id}`,
        zone_id,
        label: `${countryName(country)}, ${zone_id}: ${price(price_micros)}`,
        price_micros,
      }))
      .toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
    ...list.zones
      .filter(({ id }) => !known.has(id))
      .map(({ id, name, price_micros }) => ({ value: id, zone_id: id, label: `${name}: ${price(price_micros)}`, price_micros })),
  ]
}

/** What a month would cost. */
export function PriceCalculator({ list }: { list: PriceList }) {
  const { fees, currency } = list
  const [sims, setSims] = useState<number | null>(10)
  const [megabytes, setMegabytes] = useState<number | null>(50)
  const [chosen, choose] = useState<string | null>(null)
  const options = useMemo(() => optionsOf(list), [list])
  const place = options.find(({ value }) => value === chosen) ?? options.find(({ zone_id }) => zone_id === list.zones[0]?.id)
  if (!place) return null
  const { data, active, all } = monthEstimate(fees, { sims: sims ?? 0, megabytes: megabytes ?? 0, price_micros: place.price_micros })
  return (
    <Panel title="Calculator" note="a month">
      <div className="grid gap-3">
        <div className="grid grid-cols-2 gap-3">
          <NumberField label="SIMs" decimals={0} min={0} max={10_000_000} value={sims} onChange={setSims} />
          <NumberField label="Data of each" unit="MB" min={0} max={1_000_000} value={megabytes} onChange={setMegabytes} />
        </div>
        <Select label="Where" value={place.value} onChange={choose} options={options} />
        <Facts>
          <Fact label="Active SIMs">{priceWords(active, currency)}</Fact>
          <Fact label="Data">{priceWords(data, currency)}</Fact>
          <Fact label="Together">
            <b className="font-medium" aria-live="polite">
              {priceWords(all, currency)}
            </b>
          </Fact>
        </Facts>
        <p className="text-xs text-fg-3">Without activation, tax, data pools, and what is rounded up.</p>
      </div>
    </Panel>
  )
}
