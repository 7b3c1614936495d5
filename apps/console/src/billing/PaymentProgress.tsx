import type { Balance } from '@masthead/contract/billing/ledger'
import { formatMoney, micros } from '@masthead/contract/billing/money'
import { cancelTopUp, createTopUp, finishTopUp, getTopUp } from '@masthead/contract/billing/top-up-operations'
import { isOpen, type TopUp } from '@masthead/contract/billing/top-up'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../api/client.ts'
import { q, queries, useOperation } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { loadCardProvider, providerWords } from './load-card-provider.ts'
import { inCents } from './money-words.ts'

const askEvery = 500 // ms
const askEveryWhileUnknown = 5000 // ms

type PaymentProgressProps = {
  id: string
  /** It was begun here: the bank’s page opens by itself. */
  isOurs: boolean
  /** The bank was answered on a page of its own, which led back here. */
  isReturned: boolean
  balance: Balance
  onAgain: () => void
  /** Begins the same payment anew, so that the bank asks on a page of its own. */
  onHosted: (given_up: TopUp) => void
}

/** A payment on its way, to its end. It stands in the page and not in a dialog: what the bank shows lies over the page. */
export function PaymentProgress({ id, isOurs, isReturned, balance, onAgain, onHosted }: PaymentProgressProps) {
  const { data, error, refetch } = useQuery({
    ...q(getTopUp, { params: { top_up_id: id } }),
    refetchInterval: ({ state: { data: last } }) => (!last || isOpen(last) ? askEvery : last.is_unknown ? askEveryWhileUnknown : false),
  })
  const isOver = data ? !isOpen(data) : false
  // The payment is begun anew once this one is surely given up: never are two under way.
  const [isMoving, setMoving] = useState(false)
  const isGivenUp = data?.state === 'canceled'
  useEffect(() => {
    if (isMoving && isGivenUp) onHosted(data)
    // Once it is given up.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isMoving, isGivenUp])
  const end = isOver ? `${data?.state} ${data?.is_unknown}` : null
  useEffect(() => {
    if (end) void queries.invalidateQueries({ queryKey: ['billing'] })
  }, [end])
  if (error && !data) return <ErrorState title="The payment could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={4} />
  const amount = formatMoney(data.amount_micros, data.currency)
  const pays = formatMoney(micros(data.amount_micros + data.tax_micros), data.currency)
  return (
    <div className="max-w-sm">
      <Panel title={`${pays} with ${data.card_name}`}>
        {data.state === 'requires_action' ? (
          <AskedByBank topUp={data} isOurs={isOurs} isReturned={isReturned} onMove={setMoving} />
        ) : data.state === 'succeeded' ? (
          <div className="grid gap-3">
            <Notice tone="ok">
              {amount} of credits were added. The balance is {inCents(balance.balance_micros, balance.currency)}.
            </Notice>
            <span className="flex flex-wrap gap-2">
              <Link className={buttonClass('secondary')} to={`/usage/cost-activity?entry=${data.transaction_id ?? ''}`}>
                See the entry
              </Link>
              <Button onClick={onAgain}>Add more</Button>
            </span>
          </div>
        ) : isMoving && isGivenUp ? (
          // Given up only to be begun anew: whoever pays did not give up. Where it cannot be, the form comes and says so.
          <p role="status" className="text-fg-2">
            The bank’s page is being asked for. Nothing is charged before you confirm there.
          </p>
        ) : isOver ? (
          <div className="grid gap-3">
            <Notice tone={data.is_unknown ? 'warn' : 'bad'}>{endOf(data)}</Notice>
            <span>
              <Button onClick={onAgain}>Back to the form</Button>
            </span>
          </div>
        ) : (
          <p role="status" className="text-fg-2">
            The payment is on its way. You may leave this page: it is charged once, and the credits appear by themselves.
          </p>
        )}
      </Panel>
      <p className="pt-2 text-xs text-fg-3">
        Payment <span className="mono">{data.id}</span>, begun by {data.begun_by}.
      </p>
    </div>
  )
}

/** Of a payment that was given up while no answer came. */
export const unknownWords =
  'We do not know yet whether your card was charged, because the card provider did not answer. We check each minute, and add the credits if it was: wait ten minutes before you try again.'

const nothing = 'Nothing was charged.'

function endOf({ state, words, is_unknown }: TopUp): string {
  if (is_unknown) return unknownWords
  if (state === 'canceled') return `The payment was given up. ${nothing}`
  const why = (words ?? 'The card was not charged').replace(/[.]?$/, '.')
  return /charged/.test(why) ? why : `${why} ${nothing}`
}

type AskedProps = { topUp: TopUp; isOurs: boolean; isReturned: boolean; onMove: (isMoving: boolean) => void }

function AskedByBank({ topUp, isOurs, isReturned, onMove }: AskedProps) {
  const [refused, setRefused] = useState<Said | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [isScriptless, setScriptless] = useState(false)
  const giving = useOperation(cancelTopUp)
  const params = { top_up_id: topUp.id }
  const finish = async () => {
    // What the bank said is asked of the provider by the server: a refusal too.
    const result = await call(finishTopUp, { params })
    if (!result.ok) setRefused(result.failure)
    await queries.invalidateQueries({ queryKey: ['billing', getTopUp.name] })
  }
  const ask = async () => {
    setAsking(true)
    setRefused(null)
    try {
      const stripe = await loadCardProvider().catch((error: unknown) => {
        setScriptless(true)
        throw error
      })
      await stripe.handleNextAction({ clientSecret: topUp.client_secret! })
      await finish()
    } catch (error) {
      setRefused({ detail: providerWords(error) })
    }
    setAsking(false)
  }
  // Said before the answer: with that, or sooner, this is gone.
  const move = () => {
    onMove(true)
    giving.mutate({ params }, { onError: () => onMove(false) })
  }
  const isBegun = useRef(false)
  useEffect(() => {
    const once = isReturned ? finish : isOurs && !topUp.hosted_url ? ask : null
    if (!once || isBegun.current) return
    isBegun.current = true
    void once()
    // Once: afterwards by the button.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOurs, isReturned])
  return (
    <div className="grid gap-3">
      <p className="text-fg-2">The bank of the card asks its holder to confirm the payment. Nothing is charged before.</p>
      {refused && <FailureNotice of={refused} />}
      {giving.error && <FailureNotice of={giving.error} />}
      <span className="flex flex-wrap gap-2">
        {/* A server of the release before says nothing of it. */}
        {topUp.hosted_url ? (
          <a className={buttonClass('primary-solid')} href={topUp.hosted_url}>
            Continue to the bank’s page
          </a>
        ) : (
          <ActionButton operation={finishTopUp} color="primary-solid" loading={isAsking} onClick={() => void ask()}>
            Confirm with the bank
          </ActionButton>
        )}
        {isScriptless && (
          <ActionButton operation={createTopUp} loading={giving.isPending} onClick={move}>
            Use the bank’s own page
          </ActionButton>
        )}
        <ActionButton operation={cancelTopUp} loading={giving.isPending} onClick={() => giving.mutate({ params })}>
          Give up
        </ActionButton>
      </span>
    </div>
  )
}
