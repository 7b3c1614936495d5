import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { getBalanceRules, retryRefill, setRefill } from '@masthead/contract/billing/refill/operations'
import { mostFailures, refillAmount, type BalanceRules, type Refill } from '@masthead/contract/billing/refill/refill'
import { formatDay } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { q, useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useClock } from '../../kit/clock.ts'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'

const RefillForm = later(async () => (await import('./RefillForms.tsx')).RefillForm)

/** The account is filled by itself: whether, how, and what came of it. */
export function RefillPanel() {
  const { data, error, refetch } = useQuery(q(getBalanceRules, {}))
  const [asking, setAsking] = useState<'form' | 'off' | null>(null)
  if (data && !data.rules) return null
  const rules = data?.rules
  const refill = rules?.refill
  const on = refill?.is_on === true
  return (
    <Panel
      title="Auto-refill"
      flush={Boolean(error && !data)}
      note={rules && <Badge tone={on ? 'ok' : 'idle'}>{on ? 'On' : 'Off'}</Badge>}
      end={
        rules && (
          <>
            {on && (
              <ActionButton operation={setRefill} size="small" color="ghost" onClick={() => setAsking('off')}>
                Switch off
              </ActionButton>
            )}
            <ActionButton operation={setRefill} size="small" onClick={() => setAsking('form')}>
              {on ? 'Change' : 'Switch on'}
            </ActionButton>
          </>
        )
      }
    >
      {error && !data ? (
        <ErrorState title="Auto-refill could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !rules ? (
        <SkeletonLines />
      ) : (
        <>
          {refill?.stopped_words && (
            <div className="pb-3">
              <Notice tone="bad" action={<Retry refill={refill} />}>
                Auto-refill was switched off: {refill.stopped_words}
              </Notice>
            </div>
          )}
          {refill && on ? (
            <Running refill={refill} currency={rules.currency} />
          ) : (
            <p className="text-fg-2">It buys credits before they run out, so that SIMs keep their service. It charges the default card.</p>
          )}
          {refill && <Last refill={refill} currency={rules.currency} />}
          <p className="pt-3 text-xs text-fg-3">Never two at once. Off after {mostFailures} payments in a row that fail.</p>
        </>
      )}
      {rules && asking === 'form' && <RefillForm rules={rules} onClose={() => setAsking(null)} />}
      {refill && asking === 'off' && <SwitchOff refill={refill} onClose={() => setAsking(null)} />}
    </Panel>
  )
}

/** Charges the card now, and does not wait a day. */
function Retry({ refill: { card_name, last } }: { refill: Refill }) {
  const retry = useOperation(retryRefill)
  const isOpen = last !== null && ['preparing', 'processing', 'requires_action'].includes(last.state)
  return (
    <ActionButton
      operation={retryRefill}
      size="small"
      loading={retry.isPending}
      disabled={card_name === null ? 'Add a card first' : isOpen ? 'A payment is under way' : null}
      onClick={() =>
        retry.mutate(
          {},
          {
            onSuccess: () => toast.success('Auto-refill is tried again'),
            onError: (failure) => toast.failure(failure),
          }
        )
      }
    >
      Try again now
    </ActionButton>
  )
}

const nextMonth = (now: number) => Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + 1)

function Running({ refill, currency }: { refill: Refill; currency: Currency }) {
  const { mode, below_micros, amount_micros, month_charged_micros, month_limit_micros, card_name, failures, next_try_at } = refill
  const money = (amount: number) => formatMoney(micros(amount), currency)
  const begins = useClock(nextMonth)
  // What is bought when just less than the threshold is left.
  const isUsedUp = refillAmount(refill, { available: below_micros, charged: month_charged_micros }) === null
  return (
    <div className="grid gap-3">
      {failures > 0 && (
        <Notice
          tone="warn"
          action={
            <span className="flex flex-wrap items-center gap-3">
              <Retry refill={refill} />
              <Link className="link" to="/billing/addcredits">
                Add credits
              </Link>
            </span>
          }
        >
          {failures === 1 ? 'The last payment failed' : `The last ${failures} payments failed`}
          {next_try_at && (
            <>
              ; the next is tried <RelativeTime at={next_try_at} />
            </>
          )}
          . Credits that you add by hand start the count again, and so does trying again now.
        </Notice>
      )}
      <p>
        When less than <strong>{money(below_micros)}</strong> can be spent,{' '}
        {mode === 'fixed' ? (
          <>
            buy <strong>{money(amount_micros)}</strong>
          </>
        ) : (
          <>
            fill it up to <strong>{money(amount_micros)}</strong>
          </>
        )}{' '}
        {card_name ? `from ${card_name}.` : 'from the default card, of which there is none.'}
      </p>
      <div className="grid gap-1.5">
        <p className="flex flex-wrap justify-between gap-x-3 text-sm">
          <span>Charged this month</span>
          <span className="tabular-nums">
            {money(month_charged_micros)} of at most {money(month_limit_micros)}
          </span>
        </p>
        <ProgressBar value={month_charged_micros / month_limit_micros} label="Charged of the month’s limit" />
        {isUsedUp && (
          <p className="text-sm text-fg-2">
            The month’s limit has no room for another: nothing is bought before {formatDay(new Date(begins).toISOString())}, unless you
            raise it.
          </p>
        )}
      </div>
    </div>
  )
}

const states: Record<NonNullable<Refill['last']>['state'], string> = {
  preparing: 'under way',
  processing: 'under way',
  requires_action: 'waiting for the card’s bank',
  succeeded: 'added',
  failed: 'failed',
  canceled: 'given up',
}

function Last({ refill: { last }, currency }: { refill: Refill; currency: Currency }) {
  if (!last) return null
  return (
    <div className="pt-3">
      <Facts>
        <Fact label="Last run">
          {formatMoney(last.amount_micros, currency)} {states[last.state]} <RelativeTime at={last.begun_at} />
        </Fact>
        {last.words && <Fact label="Why">{last.words}</Fact>}
      </Facts>
    </div>
  )
}

function SwitchOff({ refill, onClose }: { refill: NonNullable<BalanceRules['refill']>; onClose: () => void }) {
  const { mode, below_micros, amount_micros, month_limit_micros } = refill
  return (
    <ConfirmCall
      operation={setRefill}
      input={{ body: { is_on: false, mode, below_micros, amount_micros, month_limit_micros } }}
      title="Switch auto-refill off?"
      confirm="Switch off"
      color="danger"
      done="Auto-refill is off"
      onClose={onClose}
    >
      Nothing more is bought by itself. At zero, SIMs whose data is charged have no service until credits are added.
    </ConfirmCall>
  )
}
