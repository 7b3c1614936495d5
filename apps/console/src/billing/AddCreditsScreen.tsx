import { listCards } from '@masthead/contract/billing/card-operations'
import { cardName, type Card } from '@masthead/contract/billing/card'
import { formatMoney, micros, type Micros } from '@masthead/contract/billing/money'
import { daysCovered } from '@masthead/contract/billing/refill/days-covered'
import type { Balance } from '@masthead/contract/billing/ledger'
import { getBalance } from '@masthead/contract/billing/operations'
import { taxOn, taxWords } from '@masthead/contract/billing/invoices/tax'
import { createTopUp, listTopUps } from '@masthead/contract/billing/top-up-operations'
import { isOpen, leastTopUp, mostTopUp, topUpSteps, type TopUp } from '@masthead/contract/billing/top-up'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Failure } from '../api/client.ts'
import { q, useOperation } from '../api/query.ts'
import { useClock } from '../kit/clock.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { BillingOff } from './BillingOff.tsx'
import { CardsPanel } from './CardsPanel.tsx'
import { CouponPanel } from './coupons/CouponPanel.tsx'
import { takesCards } from './load-card-provider.ts'
import { inCents } from './money-words.ts'
import { PaymentProgress, unknownWords } from './PaymentProgress.tsx'

/** Credits are bought here: how much, with which card, and what it comes to. */
export default function AddCreditsScreen() {
  const balance = useQuery(q(getBalance, {}))
  const cards = useQuery(q(listCards, {}))
  const last = useQuery({
    ...q(listTopUps, { query: { page_size: 1 } }),
    refetchInterval: ({ state: { data } }) => (data?.items[0]?.is_unknown ? 5000 : false),
  })
  // With its card: another one may have the same name.
  const [begun, setBegun] = useState<{ id: string; card_id: string } | null>(null)
  // Whoever comes back from the page of the card's bank brings the payment that it asked about.
  const [address, setAddress] = useSearchParams()
  const returned = address.get('top_up')
  // Here and not in the form: the list of payments may show the new one before the answer to the press is here, and the form is gone then.
  const buying = useOperation(createTopUp)
  const failure = balance.error ?? cards.error ?? last.error
  if (failure && !(balance.data && cards.data && last.data))
    return (
      <ErrorState
        title="Credits could not be loaded"
        failure={failure}
        onRetry={() => void Promise.all([balance.refetch(), cards.refetch(), last.refetch()])}
      />
    )
  if (!balance.data || !cards.data || !last.data) return <SkeletonLines lines={8} />
  if (!balance.data.balance)
    return (
      <div className="rounded-lg border border-line">
        <BillingOff />
      </div>
    )
  // Also what another window or another person began: one payment at a time.
  const [newest] = last.data.items
  const current = begun?.id ?? returned ?? (newest && isOpen(newest) ? newest.id : null)
  const again = () => {
    setBegun(null)
    if (returned) setAddress({}, { replace: true })
  }
  // What could not be begun is said in the form.
  const pay = (body: Payment) => buying.mutate({ body }, { onSuccess: ({ id }) => setBegun({ id, card_id: body.card_id }), onError: again })
  if (current)
    return (
      <PaymentProgress
        key={current}
        id={current}
        isOurs={begun?.id === current}
        isReturned={returned === current}
        balance={balance.data.balance}
        onAgain={again}
        onHosted={({ amount_micros, card_name }) => {
          const card_id = begun?.card_id ?? cards.data.items.find((each) => cardName(each) === card_name)?.id
          if (card_id) pay({ amount_micros, card_id, hosted: true })
          else again()
        }}
      />
    )
  return (
    <Form
      balance={balance.data.balance}
      cards={cards.data.items}
      last={newest}
      failure={buying.error}
      isPaying={buying.isPending}
      onPay={pay}
    />
  )
}

type Payment = { amount_micros: Micros; card_id: string; hosted?: boolean }

type FormProps = {
  balance: Balance
  cards: readonly Card[]
  last: TopUp | undefined
  failure: Failure | null
  isPaying: boolean
  onPay: (body: Payment) => void
}

function Form({ balance, cards, last, failure, isPaying, onPay }: FormProps) {
  const { currency, available_micros } = balance
  const now = useClock((at) => at - (at % 3_600_000))
  const [amount, setAmount] = useState<Micros | null>(micros(topUpSteps[1]))
  const usable = cards.filter(({ is_expired }) => !is_expired)
  const [chosen, setChosen] = useState<string | null>(null)
  const card = usable.find(({ id }) => id === chosen) ?? usable.find(({ is_default }) => is_default) ?? usable[0]
  const isFit = amount !== null && amount >= leastTopUp && amount <= mostTopUp
  const tax = taxOn(amount ?? 0, balance.tax)
  const range = `${formatMoney(micros(leastTopUp), currency)} to ${formatMoney(micros(mostTopUp), currency)}`
  const why = last?.is_unknown
    ? 'It is not known yet whether the last payment was charged'
    : !takesCards()
      ? 'This installation has no card provider: whoever runs it sets STRIPE_SECRET_KEY'
      : !card
        ? 'Add a card first'
        : !isFit
          ? `Choose an amount from ${range}`
          : null
  return (
    <div className="grid items-start gap-4 @lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid gap-4">
        <Panel title="Amount">
          <RadioGroup
            label="Credits"
            hideLabel
            cards
            beside
            value={topUpSteps.some((step) => step === amount) ? String(amount) : null}
            onChange={(value) => setAmount(micros(Number(value)))}
            choices={topUpSteps.map((step) => ({ value: String(step), label: formatMoney(micros(step), currency, { decimals: 0 }) }))}
          />
          <div className="mt-4 max-w-56">
            <NumberField
              label="Or your own"
              unit={currency}
              hint={range}
              min={leastTopUp / 1e6}
              max={mostTopUp / 1e6}
              value={amount === null ? null : amount / 1e6}
              onChange={(value) => setAmount(value === null ? null : micros(Math.round(value * 100) * 10_000))}
            />
          </div>
        </Panel>
        {usable.length > 0 && (
          <Panel title="Pay with">
            <RadioGroup
              label="Card"
              hideLabel
              cards
              value={card?.id ?? null}
              onChange={setChosen}
              choices={usable.map((each) => ({
                value: each.id,
                label: cardName(each),
                about: each.is_default ? `Expires ${each.expires}, default` : `Expires ${each.expires}`,
              }))}
            />
          </Panel>
        )}
        <CardsPanel />
        <CouponPanel />
      </div>
      <Panel title="Summary">
        {last?.is_unknown && (
          <div className="pb-3">
            <Notice tone="warn">
              The last payment was {formatMoney(last.amount_micros, currency)} with {last.card_name}. {unknownWords}
            </Notice>
          </div>
        )}
        {last?.state === 'failed' && !last.is_unknown && !failure && (
          <div className="pb-3">
            <Notice
              tone="warn"
              action={
                <ActionButton
                  operation={createTopUp}
                  size="small"
                  loading={isPaying}
                  disabled={!takesCards() || !card ? 'Add a card first' : null}
                  onClick={() => onPay({ amount_micros: last.amount_micros, card_id: card!.id })}
                >
                  Try {formatMoney(last.amount_micros, currency)} again{card && ` with ${cardName(card)}`}
                </ActionButton>
              }
            >
              The last payment, {formatMoney(last.amount_micros, currency)} with {last.card_name}, failed: {last.words}
            </Notice>
          </div>
        )}
        <dl className="divide-y divide-line">
          <Line label="Your card pays" strong>
            {isFit ? formatMoney(micros(amount + tax), currency) : '—'}
          </Line>
          <Line label="Credits">{isFit ? formatMoney(amount, currency) : '—'}</Line>
          <Line label={balance.tax ? taxWords(balance.tax) : 'Tax'}>
            {balance.tax ? (isFit ? formatMoney(tax, currency) : '—') : 'None'}
          </Line>
          <Line label="Balance now">{inCents(available_micros, currency)}</Line>
          <Line label="Balance after">{isFit ? inCents(micros(available_micros + amount), currency) : '—'}</Line>
          <Line label="Days covered">{isFit ? coveredWords(daysCovered(available_micros + amount, balance, now)) : '—'}</Line>
        </dl>
        {failure && (
          <div className="pt-3">
            <FailureNotice of={failure} />
          </div>
        )}
        <ActionButton
          operation={createTopUp}
          color="billing-green"
          size="large"
          className="mt-4 w-full"
          loading={isPaying}
          disabled={why}
          onClick={() => onPay({ amount_micros: amount!, card_id: card!.id })}
        >
          {isFit ? `Pay ${formatMoney(micros(amount + tax), currency)}` : 'Pay'}
        </ActionButton>
        <p className="flex gap-2 pt-3 text-xs text-fg-2">
          <Lock className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          A payment is charged once, also when you press twice or reload the page. Other windows show the same payment.
        </p>
        <p className="pt-2 text-xs text-fg-3">Credits you buy do not expire.</p>
      </Panel>
    </div>
  )
}

const coveredWords = (days: number | null) => (days === null ? 'More than a year' : `About ${days}`)

const Line = ({ label, strong = false, children }: { label: string; strong?: boolean; children: string }) => (
  <div className={strong ? 'flex justify-between gap-3 py-2 text-md font-semibold' : 'flex justify-between gap-3 py-2'}>
    <dt className={strong ? undefined : 'text-fg-2'}>{label}</dt>
    <dd className="tabular-nums">{children}</dd>
  </div>
)
