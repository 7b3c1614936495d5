import { daysCovered } from '@masthead/contract/billing/refill/days-covered'
import type { Balance } from '@masthead/contract/billing/ledger'
import { getBalance } from '@masthead/contract/billing/operations'
import { micros } from '@masthead/contract/billing/money'
import { formatDay } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { useClock } from '../kit/clock.ts'
import { LiveMark } from '../kit/LiveMark.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { BillingOff } from './BillingOff.tsx'
import { inCents } from './money-words.ts'

/** What the account has, and what of it ends. */
export function BalancePanel() {
  const { data, error, refetch } = useQuery(q(getBalance, {}))
  if (error && !data)
    return (
      <Panel title="Balance" flush>
        <ErrorState title="The balance could not be loaded" failure={error} onRetry={() => void refetch()} />
      </Panel>
    )
  if (!data)
    return (
      <Panel title="Balance">
        <SkeletonLines />
      </Panel>
    )
  if (!data.balance)
    return (
      <Panel title="Balance" flush>
        <BillingOff />
      </Panel>
    )
  const { currency, balance_micros, pending_micros, reserved_micros, available_micros, purchased_micros, granted_micros, expiring } =
    data.balance
  const owed = available_micros < 0
  return (
    <Panel
      title="Balance"
      end={
        <>
          <LiveMark />
          <Link className={buttonClass('primary-solid', 'small')} to="/billing/addcredits">
            Add credits
          </Link>
        </>
      }
    >
      <p className={owed ? 'tight text-2xl font-semibold tabular-nums text-bad-fg' : 'tight text-2xl font-semibold tabular-nums'}>
        {inCents(available_micros, currency)}
      </p>
      <p className="text-fg-2">
        {owed
          ? 'This is owed: credits that you add pay it first.'
          : available_micros === 0
            ? 'No credits are left.'
            : 'You can spend this now.'}
      </p>
      <dl className="mt-3 divide-y divide-line border-t border-line">
        <Part label="Settled" words="Final: paid in, and charged in Cost Activity.">
          {inCents(balance_micros, currency)}
        </Part>
        <Part label="Pending" words="Used and no entry yet. Already taken off.">
          {inCents(micros(0 - pending_micros), currency)}
        </Part>
        {reserved_micros > 0 && (
          <Part label="Being paid back" words="To the card; it leaves once the card provider has done so.">
            {inCents(micros(0 - reserved_micros), currency)}
          </Part>
        )}
        <Part label="Bought" words="Does not expire.">
          {inCents(purchased_micros, currency)}
        </Part>
        <Part label="Given" words="Spent first.">
          {inCents(granted_micros, currency)}
        </Part>
      </dl>
      {expiring.length > 0 && (
        <ul className="border-t border-line pt-3 text-fg-2">
          {expiring.map(({ amount_micros, expires_at }) => (
            <li key={expires_at}>
              {inCents(micros(amount_micros), currency)} of it expires on {formatDay(expires_at)}.
            </li>
          ))}
        </ul>
      )}
      <p className="pt-3 text-fg-2">
        <Lasts balance={data.balance} /> {zeroWords(data.balance)}
      </p>
      <p className="pt-3">
        <Link className="link" to="/usage/cost-activity">
          Cost Activity
        </Link>
      </p>
    </Panel>
  )
}

/** What happens when nothing is left. */
function zeroWords({ is_free, at_zero }: Balance): string {
  if (is_free) return 'Your account pays by no price list yet, so nothing is charged and SIMs have service, whatever the balance is.'
  return at_zero === 'stop'
    ? 'At zero, SIMs whose data is charged have no service until credits are added.'
    : 'At zero, service goes on and what is used is owed.'
}

/** How long it lasts. */
function Lasts({ balance }: { balance: Balance }) {
  const now = useClock((at) => at - (at % 3_600_000))
  const days = daysCovered(balance.available_micros, balance, now)
  if (balance.available_micros <= 0 || balance.is_free) return null
  if (days === null) return <>It lasts for more than a year, if nothing is added.</>
  return (
    <>
      It lasts about {days === 1 ? '1 day' : `${days} days`}, to {formatDay(new Date(now + days * 86_400_000).toISOString())}, if nothing is
      added.
    </>
  )
}

const Part = ({ label, words, children }: { label: string; words: string; children: string }) => (
  <div className="grid grid-cols-[1fr_auto] py-2">
    <dt className="font-medium">{label}</dt>
    <dd className="font-medium tabular-nums">{children}</dd>
    <dd className="col-span-2 text-xs text-fg-3">{words}</dd>
  </div>
)
