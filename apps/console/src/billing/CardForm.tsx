import { finishCardSetup, getCardSetup, startCardSetup } from '@masthead/contract/billing/card-operations'
import type { CardSetup } from '@masthead/contract/billing/card'
import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, type Failure } from '../api/client.ts'
import { q, queries } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
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
  const start = () => {
    setBegun(null)
    void call(startCardSetup, {}).then((result) => setBegun(result.ok ? result.data : result.failure))
  }
  // One form is begun for each time this is opened, also where React draws twice.
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isBegun.current) start()
    isBegun.current = true
  }, [])
  if (!begun) return <SkeletonLines />
  if (!('id' in begun)) return <Broken of={begun} onAgain={start} onClose={onClose} />
  return <Setup key={begun.id} id={begun.id} onAgain={start} onClose={onClose} />
}

function Setup({ id, onAgain, onClose }: { id: string; onAgain: () => void; onClose: () => void }) {
  const { data: setup, error } = useQuery({
    ...q(getCardSetup, { params: { card_setup_id: id } }),
    // While the form waits for its card, it is asked now and then: we may hear from the provider later.
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
  if (error && !setup) return <Broken of={error} onAgain={onAgain} onClose={onClose} />
  if (!setup || setup.state === 'preparing' || isDone) return <SkeletonLines />
  if (setup.state === 'failed')
    return <Broken of={{ detail: setup.words ?? 'The card could not be kept' }} onAgain={onAgain} onClose={onClose} />
  return <Fields setup={setup} onClose={onClose} onAgain={onAgain} />
}

const Broken = ({ of, onAgain, onClose }: { of: Said; onAgain: () => void; onClose: () => void }) => (
  <div className="grid gap-3">
    <FailureNotice of={of} />
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      <Button onClick={onAgain}>Try again</Button>
    </div>
  </div>
)

type Loaded = { stripe: Stripe; elements: StripeElements }

function Fields({ setup, onClose, onAgain }: { setup: CardSetup; onClose: () => void; onAgain: () => void }) {
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

  if (isBroken) return <Broken of={refused!} onAgain={onAgain} onClose={onClose} />
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
