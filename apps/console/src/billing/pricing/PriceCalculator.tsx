import type { PriceList } from '@masthead/contract/billing/tariff'
import { useState } from 'react'
import { NumberField } from '../../ui/NumberField.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { Select } from '../../ui/Select.tsx'
import { monthEstimate, priceWords } from './price-words.ts'

/** What a month would cost. */
export function PriceCalculator({ list: { zones, fees, currency } }: { list: PriceList }) {
  const [sims, setSims] = useState<number | null>(10)
  const [megabytes, setMegabytes] = useState<number | null>(50)
  const [chosen, choose] = useState<string | null>(null)
  const zone = zones.find(({ id }) => id === chosen) ?? zones[0]
  if (!zone) return null
  const { price_micros } = zone
  const { data, active, all } = monthEstimate(fees, { sims: sims ?? 0, megabytes: megabytes ?? 0, price_micros })
  return (
    <Panel title="Calculator" note="a month">
      <div className="grid items-start gap-x-8 gap-y-3 @md:grid-cols-2">
        <div className="grid gap-3">
          <div className="grid grid-cols-2 gap-3">
            <NumberField label="SIMs" decimals={0} min={0} max={10_000_000} value={sims} onChange={setSims} />
            <NumberField label="Data of each" unit="MB" min={0} max={1_000_000} value={megabytes} onChange={setMegabytes} />
          </div>
          <Select
            label="Zone"
            value={zone.id}
            onChange={choose}
            options={zones.map(({ id, name, price_micros: price }) => ({
              value: id,
              label: `${name === id ? id : `${id}, ${name}`}: ${priceWords(price, currency)} per MB`,
            }))}
          />
        </div>
        <div className="grid gap-2">
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
      </div>
    </Panel>
  )
}
