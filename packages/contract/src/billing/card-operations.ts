import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { notFound, tooManyRequests } from '../kernel/problem.ts'
import { Card, CardSetup } from './card.ts'
import { cardSetupOver, tooManyCards } from './card-problems.ts'

/** Newest first. */
export const listCards = operation({
  name: 'billing.listCards',
  method: 'GET',
  path: '/billing/cards',
  summary: 'The cards that credits can be bought with',
  access: 'billing.view',
  reply: z.object({ items: z.array(Card) }),
})

/** The browser shows the provider's form once it is ready, and says afterwards that the card was sent. */
export const startCardSetup = operation({
  name: 'billing.startCardSetup',
  method: 'POST',
  path: '/billing/card-setups',
  summary: 'Begin to keep a card',
  access: 'billing.edit',
  reply: CardSetup,
  problems: [tooManyCards, tooManyRequests],
})

/** For a browser in which the provider's script does not come: once it is ready its reply says where the form is. From there one comes back to Billing. */
export const startHostedCardSetup = operation({
  name: 'billing.startHostedCardSetup',
  method: 'POST',
  path: '/billing/hosted-card-setups',
  summary: 'Begin to keep a card on the card provider’s own page',
  access: 'billing.edit',
  reply: CardSetup,
  problems: [tooManyCards, tooManyRequests],
})

export const getCardSetup = operation({
  name: 'billing.getCardSetup',
  method: 'GET',
  path: '/billing/card-setups/{card_setup_id}',
  summary: 'How far it has come to keep a card',
  access: 'billing.edit',
  reply: CardSetup,
  problems: [notFound],
})

export const finishCardSetup = operation({
  name: 'billing.finishCardSetup',
  method: 'POST',
  path: '/billing/card-setups/{card_setup_id}/finish',
  summary: 'Say that the card was sent to the provider',
  access: 'billing.edit',
  reply: CardSetup,
  problems: [notFound, cardSetupOver],
})

export const makeCardDefault = operation({
  name: 'billing.makeCardDefault',
  method: 'POST',
  path: '/billing/cards/{card_id}/default',
  summary: 'Buy credits with this card unless another is chosen',
  access: 'billing.edit',
  reply: Card,
  problems: [notFound],
})

export const removeCard = operation({
  name: 'billing.removeCard',
  method: 'DELETE',
  path: '/billing/cards/{card_id}',
  summary: 'Keep a card no more',
  access: 'billing.edit',
  problems: [notFound],
})
