import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import * as cards from '@masthead/contract/billing/card-operations'
import { startSandbox, type Sandbox } from '@masthead/card-sandbox/start-sandbox'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { openBilling } from '../ledger/test-ledger.ts'

/** Of the card provider in tests. */
export const [secretKey, publishableKey, webhookSecret] = ['sk_test_1', 'pk_test_1', 'whsec_1']

/** A house that takes cards, by a card provider of its own. */
export async function openShop() {
  const sandbox = await startSandbox({ port: 0, secretKey, publishableKey })
  const house = await openHouse()
  const cardProvider = { secretKey, publishableKey, webhookSecret, api: sandbox.url, script: `${sandbox.url}/v3/` }
  house.app.config.integrations = { ...house.app.config.integrations, cardProvider }
  return {
    house,
    sandbox,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]()
      await sandbox.close()
    },
  }
}
type Shop = { house: House; sandbox: Sandbox }

/** As the provider posts. */
export async function postHook({ server }: Pick<House, 'server'>, event: object, secret = webhookSecret) {
  const payload = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', ...event })
  const signature = await new Stripe('sk_test_x').webhooks.generateTestHeaderStringAsync({ payload, secret })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return server.inject({ method: 'POST', url: '/hooks/stripe', headers, payload })
}

/** An account with billing and a card that is kept. */
export async function newBuyer(shop: Shop, name: string, number = '4242424242424242') {
  const person = await shop.house.newOwner(name)
  await openBilling(shop.house, person.account_id)
  return { person, card_id: await keepCard(shop, person, number) }
}

/** Has a card kept as the browser does, its bank agreeing. Answers with its id. */
export async function keepCard({ house, sandbox }: Shop, person: Person, number: string): Promise<string> {
  const { body: setup } = await person.call(cards.startCardSetup, {})
  await house.settle()
  const params = { card_setup_id: setup.id }
  const { client_secret } = (await person.call(cards.getCardSetup, { params })).body
  const id = client_secret!.slice(0, client_secret!.indexOf('_secret_'))
  const typed = { number, exp_month: '12', exp_year: '2040', cvc: '123' }
  const given = Object.fromEntries(Object.entries(typed).map(([key, value]) => [`payment_method_data[card][${key}]`, value]))
  await fetch(`${sandbox.url}/v1/setup_intents/${id}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: client_secret!, ...given }),
    headers: { authorization: `Bearer ${publishableKey}` },
  })
  await fetch(`${sandbox.url}/authenticate/${id}`, { method: 'POST', body: new URLSearchParams({ agrees: 'true' }) })
  await person.call(cards.finishCardSetup, { params })
  await house.settle()
  return (await person.call(cards.getCardSetup, { params })).body.card!
}
