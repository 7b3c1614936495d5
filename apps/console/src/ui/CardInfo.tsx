import { CreditCard } from 'lucide-react'
import { cardBrand, cardExpiry } from './card-words.ts'
import { Icon } from './Icon.tsx'
import { StateShape } from './StateShape.tsx'

/** A payment card, as far as we know it (spec §3): brand, last four digits, MM/YY. One that has expired says so. */
export function CardInfo({
  brand,
  lastFour,
  expiration,
  now,
}: {
  brand: string
  lastFour: string
  /** "04/29" */
  expiration: string
  /** Milliseconds, to know whether it has expired; without it nothing is said. */
  now?: number
}) {
  const name = cardBrand(brand)
  const end = cardExpiry(expiration)
  const expired = now !== undefined && end !== null && now >= end
  return (
    <span className="inline-flex items-center gap-3">
      <span className="grid h-8 w-12 flex-none place-items-center rounded-sm border border-line-2 bg-chrome text-fg-3">
        <Icon of={CreditCard} />
      </span>
      <span className="grid">
        <span className="font-medium whitespace-nowrap">
          {name} <span aria-hidden>••••</span>
          <span className="sr-only">ending in</span> <span className="tabular-nums">{lastFour}</span>
        </span>
        <span className="flex items-center gap-1.5 text-xs text-fg-3 tabular-nums">
          {expired ? (
            <>
              <StateShape shape="octagon" tone="bad" size={10} />
              <span className="text-bad-fg">Expired {expiration}</span>
            </>
          ) : (
            <>Expires {expiration}</>
          )}
        </span>
      </span>
    </span>
  )
}
