import type { Currency } from '@masthead/contract/billing/money'
import { TwoLines } from '../ui/Table.tsx'
import { priceWords } from './money-words.ts'

type Line = Parameters<typeof priceWords>[0] & { id: string; description: string; asset_name: string | null; reason?: string | null }

/** What an amount is for, as a button that opens the whole of it, and below that its asset, its reason or its price. */
export const LineWords = ({ of: line, currency, onOpen }: { of: Line; currency: Currency; onOpen: (id: string) => void }) => (
  <TwoLines
    first={
      <button
        type="button"
        className="block max-w-full truncate text-left font-medium hover:underline"
        title={line.description}
        onClick={() => onOpen(line.id)}
      >
        {line.description}
      </button>
    }
    second={[line.asset_name, line.reason ?? priceWords(line, currency)].filter(Boolean).join(', ') || null}
  />
)
