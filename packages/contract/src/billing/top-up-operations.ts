import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { billingOff, topUpOpen, topUpOver } from './ledger-problems.ts'
import { leastTopUp, mostTopUp, TopUp } from './top-up.ts'

export const listTopUps = operation({
  name: 'billing.listTopUps',
  method: 'GET',
  path: '/billing/top-ups',
  summary: 'Credits that were bought, or were to be, newest first',
  access: 'billing.view',
  query: PageQuery,
  reply: page(TopUp),
})

/** Credited once the provider says that it is paid. One at a time on an account. */
export const createTopUp = operation({
  name: 'billing.createTopUp',
  method: 'POST',
  path: '/billing/top-ups',
  summary: 'Buy credits with a card that is kept',
  access: 'billing.edit',
  body: z.object({
    amount_micros: z.int({ error: 'Enter an amount' }).check(
      z.minimum(leastTopUp, 'At least 10.00'),
      z.maximum(mostTopUp, 'At most 10,000.00'),
      z.refine((amount) => amount % 10_000 === 0, 'Use at most two decimals')
    ),
    card_id: z.string({ error: 'Choose a card' }).check(z.minLength(1, 'Choose a card'), z.maxLength(64)),
    /** For a browser in which the provider's script does not come: where the bank asks, it does so on a page of its own (`hosted_url`). */
    hosted: z._default(z.boolean(), false),
  }),
  reply: TopUp,
  problems: [notFound, billingOff, topUpOpen],
})

export const getTopUp = operation({
  name: 'billing.getTopUp',
  method: 'GET',
  path: '/billing/top-ups/{top_up_id}',
  summary: 'How far a purchase of credits has come',
  access: 'billing.edit',
  reply: TopUp,
  problems: [notFound],
})

export const finishTopUp = operation({
  name: 'billing.finishTopUp',
  method: 'POST',
  path: '/billing/top-ups/{top_up_id}/finish',
  summary: 'Say that the card’s bank was answered',
  access: 'billing.edit',
  reply: TopUp,
  problems: [notFound, topUpOver],
})

/** While the bank waits for an answer. What was paid meanwhile stays paid. */
export const cancelTopUp = operation({
  name: 'billing.cancelTopUp',
  method: 'POST',
  path: '/billing/top-ups/{top_up_id}/cancel',
  summary: 'Give up a purchase that the card’s bank still asks about',
  access: 'billing.edit',
  reply: TopUp,
  problems: [notFound, topUpOver],
})
