import { listAssignments } from '@masthead/contract/backoffice/tariff-operations'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import type { Assignment } from '@masthead/contract/billing/tariff'
import { dayOf, formatDay } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../api/query.ts'
import { CellLink } from '../../kit/CellLink.tsx'
import { useClock } from '../../kit/clock.ts'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'

/** By which price list a customer pays, and is to pay. */
export function PriceLists({ email, currency }: { email: string; currency: Currency }) {
  const { data, error, refetch } = useQuery(q(listAssignments, { params: { email } }))
  const today = useClock(dayOf)
  const valid = data?.items.find(({ from_day }) => from_day <= today)
  const planned = data?.items.filter(({ from_day }) => from_day > today) ?? []
  return (
    <Panel title="Price list" flush={Boolean(error && !data)} end={<CellLink to="/masa/pricing">Price lists</CellLink>}>
      {error && !data ? (
        <ErrorState title="The price list could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonLines />
      ) : (
        <>
          <p className="font-medium">{valid?.tariff?.name ?? 'None'}</p>
          <p className="text-fg-2">
            {valid?.tariff
              ? `Since ${formatDay(valid.from_day)}${ownWords(valid, currency)}.`
              : 'Nothing is charged, and no SIM is stopped, whatever the balance is.'}
          </p>
          {planned.toReversed().map((each) => (
            <p key={each.from_day} className="text-fg-2">
              From {formatDay(each.from_day)}: {each.tariff?.name ?? 'none'}
              {ownWords(each, currency)}.
            </p>
          ))}
        </>
      )}
    </Panel>
  )
}

const ownWords = ({ own_prices }: Assignment, currency: Currency) =>
  own_prices.length === 0
    ? ''
    : `, with ${own_prices.map(({ zone_id, price_micros }) => `${zone_id} at ${formatMoney(micros(price_micros), currency)}`).join(', ')} per MB`
