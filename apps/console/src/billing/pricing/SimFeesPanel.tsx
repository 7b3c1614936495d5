import type { SimFees } from '@masthead/contract/billing/tariff'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { feeRows, priceWords } from './price-words.ts'

/** What SIMs cost apart from their usage. */
export const SimFeesPanel = ({ fees, currency }: { fees: SimFees; currency: string }) => (
  <Panel title="SIM fees" note="each SIM">
    <Facts>
      {feeRows(fees).map(({ label, micros, note }) => (
        <Fact key={label} label={label}>
          <span className="flex flex-wrap items-baseline justify-between gap-x-2">
            <span className="font-medium tabular-nums">{micros === 0 ? 'free' : priceWords(micros, currency)}</span>
            {micros !== 0 && <span className="text-xs text-fg-3">{note}</span>}
          </span>
        </Fact>
      ))}
    </Facts>
  </Panel>
)
