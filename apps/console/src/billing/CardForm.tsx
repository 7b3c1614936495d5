import { finishCardSetup, getCardSetup, startCardSetup, startHostedCardSetup } from '@masthead/contract/billing/card-operations'
import type { CardSetup } from '@masthead/contract/billing/card'
import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, type Failure } from '../api/client.ts'
import { q, queries } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { useTheme } from '../ui/use-theme.ts'
import { loadCardProvider, providerWords } from './load-card-provider.ts'

const askEvery = 400 // ms
const askSeldom = 5000 // ms

/**
 * The provider's fields for a card, from asking for them to the card being kept. It stands in the page and not in a dialog: what the provider lays over the page
 * for 3-D Secure would lie behind one.
 */
export function CardForm({ onClose }: { onClose: () => void }) {
  const [begun, setBegun] = useState<CardSetup | Failure | null>(null)
  const begin = (by: typeof startCardSetup | typeof startHostedCardSetup) => {
    setBegun(null)
    void call(by, {}).then((result) => setBegun(result.ok ? result.data : result.failure))
  }
  const start = () => begin(startCardSetup)
  // One form is begun for each time this is opened, also where React draws twice.
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isBegun.current) start()
    isBegun.current = true
  }, [])
  if (!begun) return <SkeletonLines />
  if (!('id' in begun)) return <Broken of={begun} onAgain={start} onClose={onClose} />
  return <Setup key={begun.id} id={begun.id} onAgain={start} onHosted={() => begin(startHostedCardSetup)} onClose={onClose} />
}

/** Whoever comes back from the provider's page: what came of it is asked for. */
export function CardReturn({ id, onClose }: { id: string; onClose: () => void }) {
  const [refused, setRefused] = useState<Failure | null>(null)
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    void call(finishCardSetup, { params: { card_setup_id: id } }).then((result) => {
      if (!result.ok) return setRefused(result.failure)
      return queries.invalidateQueries({ queryKey: ['billing', getCardSetup.name] })
    })
  }, [id])
  if (refused) return <Broken of={refused} onClose={onClose} />
  return <Setup id={id} onClose={onClose} />
}

type Ways = { onAgain?: () => void; onHosted?: () => void; onClose: () => void }

function Setup({ id, ...ways }: { id: string } & Ways) {
  const { onClose } = ways
  const { data: setup, error } = useQuery({
    ...q(getCardSetup, { params: { card_setup_id: id } }),
    // While the form waits for its card, it is asked now and then: the provider may notify us later.
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'done' || data?.state === 'failed' ? false : data?.state === 'ready' ? (data.words ? askSeldom : false) : askEvery,
  })
  const isDone = setup?.state === 'done'
  useEffect(() => {
    if (!isDone) return
    toast.success('The card is kept')
    void queries.invalidateQueries({ queryKey: ['billing'] })
    onClose()
  }, [isDone, onClose])
  if (error && !setup) return <Broken of={error} {...ways} />
  if (!setup || setup.state === 'preparing' || isDone) return <SkeletonLines />
  if (setup.state === 'failed') return <Broken of={{ detail: setup.words ?? 'The card could not be kept' }} {...ways} />
  if (setup.hosted_url) return <Elsewhere url={setup.hosted_url} words={setup.words} onClose={onClose} />
  // Of a form on the provider's page that is being asked about there is nothing to fill in.
  if (!setup.client_secret && !ways.onHosted) return <SkeletonLines />
  return <Fields setup={setup} {...ways} />
}

const Broken = ({ of, onAgain, onHosted, onClose }: { of: Said } & Ways) => (
  <div className="grid gap-3">
    <FailureNotice of={of} />
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      {onAgain && <Button onClick={onAgain}>Try again</Button>}
      {onHosted && (
        <ActionButton operation={startHostedCardSetup} onClick={onHosted}>
          Use the card provider’s page
        </ActionButton>
      )}
    </div>
  </div>
)

/** The form is on the provider's own page, which leads back here. */
const Elsewhere = ({ url, words, onClose }: { url: string; words: string | null; onClose: () => void }) => (
  <div className="grid gap-3">
    {words !== null && <FailureNotice of={{ detail: words }} />}
    <p className="text-fg-2">You enter the card on the card provider’s own page. That page leads back here, and the card is kept.</p>
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      <a className={buttonClass('primary-solid')} href={url}>
        Continue to the card provider
      </a>
    </div>
  </div>
)

type Loaded = { stripe: Stripe; elements: StripeElements }

function Fields({ setup, onAgain, onHosted, onClose }: { setup: CardSetup } & Ways) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [refused, setRefused] = useState<Said | null>(null)
  const [isBroken, setBroken] = useState(false)
  const [isSending, setSending] = useState(false)
  const [isComplete, setComplete] = useState(false)
  const secret = useRef(setup.client_secret)
  secret.current ??= setup.client_secret

  useEffect(() => {
    let gone = false
    let end = () => {}
    loadCardProvider().then(
      (stripe) => {
        if (gone || !place.current || !secret.current) return
        const appearance = { theme: theme === 'dark' ? ('night' as const) : ('stripe' as const) }
        const elements = stripe.elements({ clientSecret: secret.current, appearance })
        const element = elements.create('payment')
        element.on('change', (event) => setComplete(event.complete))
        element.mount(place.current)
        end = () => element.destroy()
        setLoaded({ stripe, elements })
      },
      (error: Error) => {
        setBroken(true)
        setRefused({ detail: error.message })
      }
    )
    return () => {
      gone = true
      end()
    }
    // Another theme draws what was typed anew: the first stays.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const send = async ({ stripe, elements }: Loaded) => {
    setSending(true)
    setRefused(null)
    const confirm = { elements, redirect: 'if_required', confirmParams: { return_url: location.href } } as const
    const { error } = await stripe.confirmSetup(confirm).catch((thrown: unknown) => ({ error: { message: providerWords(thrown) } }))
    if (error) {
      setRefused({ detail: error.message ?? 'The card was refused' })
      return setSending(false)
    }
    const result = await call(finishCardSetup, { params: { card_setup_id: setup.id } })
    if (!result.ok) {
      setRefused(result.failure)
      return setSending(false)
    }
    await queries.invalidateQueries({ queryKey: ['billing', getCardSetup.name] })
  }

  if (isBroken) return <Broken of={refused!} onClose={onClose} {...(onAgain && { onAgain })} {...(onHosted && { onHosted })} />
  // What the provider said of it afterwards.
  const said = refused ?? (setup.state === 'ready' && setup.words !== null ? { detail: setup.words } : null)
  const isChecking = setup.state === 'checking' || (isSending && setup.words === null)
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (loaded && isComplete && !isChecking) void send(loaded)
      }}
    >
      {!loaded && <SkeletonLines />}
      <div ref={place} />
      {said && <FailureNotice of={said} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose} disabled={isChecking ? 'The card is on its way' : null}>
          Cancel
        </Button>
        <Button
          type="submit"
          color="primary-solid"
          loading={isChecking}
          disabled={!loaded ? 'The form is being loaded' : isComplete ? null : 'Fill in the card’s number, date and code'}
        >
          Keep card
        </Button>
      </div>
    </form>
  )
}
