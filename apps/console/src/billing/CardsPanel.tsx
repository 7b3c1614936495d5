import { listCards, makeCardDefault, removeCard, startCardSetup } from '@masthead/contract/billing/card-operations'
import { cardName, mostCards, type Card } from '@masthead/contract/billing/card'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Lock, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { q, useOperation } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { Badge } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { CardForm, CardReturn } from './CardForm.tsx'
import { takesCards } from './load-card-provider.ts'

/** The cards of an account. Numbers are typed into the provider's own fields, and are never here. */
export function CardsPanel() {
  const { data, error, refetch } = useQuery(q(listCards, {}))
  const [adding, setAdding] = useState(false)
  // Whoever comes back from the card provider's page brings the form that they used.
  const [address, setAddress] = useSearchParams()
  const returned = address.get('card_setup')
  const cards = data?.items ?? []
  const full = cards.length >= mostCards ? `An account keeps at most ${mostCards} cards: remove one first` : null
  const why = takesCards() ? full : 'This installation has no card provider: whoever runs it sets STRIPE_SECRET_KEY'
  const add = (
    <ActionButton operation={startCardSetup} disabled={why} size="small" icon={Plus} onClick={() => setAdding(true)}>
      Add card
    </ActionButton>
  )
  return (
    <Panel title="Cards" flush end={cards.length > 0 && !adding && add}>
      {error && !data ? (
        <ErrorState title="The cards could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="p-4">
          <SkeletonLines />
        </div>
      ) : cards.length === 0 && !adding && !returned ? (
        <EmptyState title="No data found" actions={add}>
          Add a card to buy credits with. It is kept by the card provider.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {cards.map((card) => (
            <CardRow key={card.id} card={card} />
          ))}
        </ul>
      )}
      {returned && (
        <div className="border-t border-line p-4">
          <CardReturn id={returned} onClose={() => setAddress({}, { replace: true })} />
        </div>
      )}
      {adding && (
        <div className="border-t border-line p-4">
          <CardForm onClose={() => setAdding(false)} />
        </div>
      )}
      {data && (
        <p className="flex gap-2 border-t border-line bg-bg-2 px-4 py-2.5 text-xs text-fg-2">
          <Lock className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          The card provider keeps the numbers. Masthead sees brand, last four digits and month.
        </p>
      )}
    </Panel>
  )
}

function CardRow({ card }: { card: Card }) {
  const [removing, setRemoving] = useState(false)
  const denied = useDenied()
  const makeDefault = useOperation(makeCardDefault)
  const name = cardName(card)
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <div className="grid min-w-0 flex-1">
        <span className="font-medium">{name}</span>
        <span className={card.is_expired ? 'text-xs text-bad-fg' : 'text-xs text-fg-3'}>
          {card.is_expired ? `Expired ${card.expires}` : `Expires ${card.expires}`}
        </span>
      </div>
      {card.is_default && <Badge>Default</Badge>}
      <Menu
        trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} size="small" />}
        label={`Actions for ${name}`}
        align="end"
        items={[
          {
            label: 'Make default',
            disabled: denied(makeCardDefault) ?? (card.is_default ? 'It is the default already' : null),
            onSelect: () =>
              makeDefault.mutate(
                { params: { card_id: card.id } },
                { onSuccess: () => toast.success(`${name} is the default now`), onError: (failure) => toast.failure(failure) }
              ),
          },
          { label: 'Remove', disabled: denied(removeCard), onSelect: () => setRemoving(true) },
        ]}
      />
      {removing && (
        <ConfirmCall
          operation={removeCard}
          input={{ params: { card_id: card.id } }}
          title={`Remove ${name}?`}
          confirm="Remove card"
          color="danger"
          done={`${name} is removed`}
          onClose={() => setRemoving(false)}
        >
          It is gone from here, and the card provider forgets it.
        </ConfirmCall>
      )}
    </li>
  )
}
