import { sql } from 'kysely'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ops from '@masthead/contract/billing/card-operations'
import { mostCards } from '@masthead/contract/billing/card'
import type { Sandbox } from '@masthead/card-sandbox/start-sandbox'
import type { House, Person } from '@masthead/testkit/house'
import { giveUpSettling, checkCardSetups } from './card-setup.ts'
import { openShop, postHook, publishableKey, secretKey, webhookSecret } from '../payments/test-buyer.ts'

let shop: Awaited<ReturnType<typeof openShop>>
let sandbox: Sandbox
let house: House
let owner: Person
beforeAll(async () => {
  shop = await openShop()
  ;({ house, sandbox } = shop)
  owner = await house.newOwner('cards')
})
afterAll(() => shop[Symbol.asyncDispose]())

const jobs = () => house.settle()

/** What the provider's script sends. */
const send = async (client_secret: string, number: string) => {
  const id = client_secret.slice(0, client_secret.indexOf('_secret_'))
  const body = new URLSearchParams({ client_secret })
  for (const [name, value] of Object.entries({ number, exp_month: '12', exp_year: '2040', cvc: '123' }))
    body.set(`payment_method_data[card][${name}]`, value)
  const url = `${sandbox.url}/v1/setup_intents/${id}/confirm`
  await fetch(url, { method: 'POST', body, headers: { authorization: `Bearer ${publishableKey}` } })
  return id
}

async function begin(person: Person) {
  const { body } = await person.call(ops.startCardSetup, {})
  expect(body).toMatchObject({ state: 'preparing', client_secret: null })
  await jobs()
  const { body: ready } = await person.call(ops.getCardSetup, { params: { card_setup_id: body.id } })
  expect(ready.state).toBe('ready')
  return ready
}

const finish = async (person: Person, id: string) => {
  await person.call(ops.finishCardSetup, { params: { card_setup_id: id } })
  await jobs()
  return (await person.call(ops.getCardSetup, { params: { card_setup_id: id } })).body
}
const cardsOf = async (person: Person) => (await person.call(ops.listCards, {})).body.items

/** As the provider posts. */
const post = (event: object, secret?: string) => postHook(house, event, secret)
const setupDone = (id: string) => ({ type: 'setup_intent.succeeded', data: { object: { id, object: 'setup_intent' } } })

test('a card is kept, becomes the default in place of the one before, and is let go', async () => {
  const first = await begin(owner)
  await send(first.client_secret!, '4242424242424242')
  const done = await finish(owner, first.id)
  expect(done).toMatchObject({ state: 'done', client_secret: null })
  expect(await cardsOf(owner)).toMatchObject([{ id: done.card, brand: 'Visa', last_four: '4242', expires: '12/40', is_default: true }])

  const second = await begin(owner)
  await send(second.client_secret!, '5555555555554444')
  const kept = await finish(owner, second.id)
  expect((await cardsOf(owner)).map((card) => [card.brand, card.is_default])).toEqual([
    ['Mastercard', true],
    ['Visa', false],
  ])
  await owner.call(ops.makeCardDefault, { params: { card_id: done.card! } })
  expect((await cardsOf(owner)).map((card) => card.is_default)).toEqual([false, true])
  await owner.call(ops.removeCard, { params: { card_id: done.card! } })
  await jobs()
  expect(await cardsOf(owner)).toMatchObject([{ id: kept.card, is_default: true }])
  const words = (await house.events(owner.account_id)).map(({ name, detail }) => [
    name,
    (detail as { payment_method?: string }).payment_method,
  ])
  expect(words).toEqual([
    ['billing.card_setup_changed', 'Visa ending in 4242'],
    ['billing.card_added', 'Visa ending in 4242'],
    ['billing.card_setup_changed', 'Mastercard ending in 4444'],
    ['billing.card_added', 'Mastercard ending in 4444'],
    ['billing.card_made_default', 'Visa ending in 4242'],
    ['billing.card_removed', 'Visa ending in 4242'],
  ])
})

test('each card that is refused leaves the form open, with the provider’s words', async () => {
  const ada = await house.newOwner('refused')
  const setup = await begin(ada)
  const declined = 'Your card was declined.'
  for (const [number, words] of [
    ['4000000000009995', 'Your card has insufficient funds.'],
    ['4000000000000002', declined],
    ['4000000000009987', declined],
    ['4000000000009979', declined],
    ['4100000000000019', declined],
    ['4000000000000069', 'Your card has expired.'],
    ['4000000000000127', 'Your card’s security code is incorrect.'],
    ['4000000000000119', 'An error occurred while processing your card. Try again in a little bit.'],
  ] as const) {
    await send(setup.client_secret!, number)
    expect(await finish(ada, setup.id), number).toMatchObject({ state: 'ready', words })
  }
  expect(await cardsOf(ada)).toEqual([])
  await send(setup.client_secret!, '4242424242424242')
  expect(await finish(ada, setup.id)).toMatchObject({ state: 'done' })
})

test('a form that is cancelled at the provider is over, once, also while nobody has sent a card', async () => {
  const cid = await house.newOwner('cancelled')
  const setup = await begin(cid)
  const id = setup.client_secret!.slice(0, setup.client_secret!.indexOf('_secret_'))
  await fetch(`${sandbox.url}/v1/setup_intents/${id}/cancel`, { method: 'POST', headers: { authorization: `Bearer ${secretKey}` } })
  for (let i = 0; i < 2; i++)
    expect((await post({ type: 'setup_intent.canceled', data: { object: { id, object: 'setup_intent' } } })).statusCode).toBe(204)
  await jobs()
  expect((await cid.call(ops.getCardSetup, { params: { card_setup_id: setup.id } })).body).toMatchObject({
    state: 'failed',
    client_secret: null,
    words: 'The card provider has ended this form',
  })
  expect((await house.events(cid.account_id)).filter(({ name }) => name === 'billing.card_setup_changed')).toHaveLength(1)
})

test('the browser says nothing and the provider does, twice and at once with the browser: the card is kept once', async () => {
  const ada = await house.newOwner('silent')
  const setup = await begin(ada)
  const id = await send(setup.client_secret!, '4242424242424242')
  expect((await Promise.all([post(setupDone(id)), post(setupDone(id))])).map(({ statusCode }) => statusCode)).toEqual([204, 204])
  await finish(ada, setup.id)
  expect(await cardsOf(ada)).toHaveLength(1)
  expect((await post(setupDone(id))).statusCode).toBe(204)
  await jobs()
  expect(await cardsOf(ada)).toHaveLength(1)
})

test('what is not signed by the provider, or was long ago, is not looked at', async () => {
  const ada = await house.newOwner('forged')
  const setup = await begin(ada)
  const id = await send(setup.client_secret!, '4242424242424242')
  expect((await post(setupDone(id), 'whsec_other')).statusCode).toBe(400)
  const payload = JSON.stringify(setupDone(id))
  const old = new Stripe('sk_test_x').webhooks.generateTestHeaderString({
    payload,
    secret: webhookSecret,
    timestamp: Math.floor(Date.now() / 1000) - 400,
  })
  for (const signature of [old, '', 't=1,v1=aa'])
    expect(
      (await house.server.inject({ method: 'POST', url: '/hooks/stripe', headers: { 'stripe-signature': signature }, payload })).statusCode
    ).toBe(400)
  await jobs()
  expect(await cardsOf(ada)).toEqual([])
})

test('a card of the provider’s that belongs to another account is never theirs', async () => {
  const [ada, bob] = [await house.newOwner('ada'), await house.newOwner('bob')]
  const setup = await begin(ada)
  expect((await bob.call(ops.finishCardSetup, { params: { card_setup_id: setup.id } })).status).toBe(404)
  await send(setup.client_secret!, '4242424242424242')
  const { card } = await finish(ada, setup.id)
  expect((await bob.call(ops.removeCard, { params: { card_id: card! } })).status).toBe(404)
  expect(await cardsOf(bob)).toEqual([])
})

test('a form whose browser was closed, with no hook, is looked at; one that could not be asked about may be left, and is asked about again', async () => {
  const ada = await house.newOwner('closed')
  const [setup, checked] = [await begin(ada), await begin(ada)]
  await send(setup.client_secret!, '4242424242424242')
  const provider_id = await send(checked.client_secret!, '5555555555554444')
  await ada.call(ops.finishCardSetup, { params: { card_setup_id: checked.id } })
  await house.db.deleteFrom('graphile_worker._private_jobs' as never).execute()
  await giveUpSettling(house.app, { provider_id })
  const stateOf = async ({ id }: { id: string }) => (await ada.call(ops.getCardSetup, { params: { card_setup_id: id } })).body
  expect(await stateOf(checked)).toMatchObject({ state: 'ready', words: expect.stringContaining('could not be reached') })
  await checkCardSetups(house.app)
  expect(await cardsOf(ada)).toEqual([])
  house.clock.advance({ minutes: 1 })
  await checkCardSetups(house.app)
  await checkCardSetups(house.app)
  expect([(await stateOf(setup)).state, (await stateOf(checked)).state]).toEqual(['done', 'done'])
  expect(await cardsOf(ada)).toHaveLength(2)
})

test('an account keeps so many cards and no more', async () => {
  const ada = await house.newOwner('many')
  for (let i = 0; i < mostCards; i++) {
    const card = {
      brand: 'visa',
      last_four: '4242',
      exp_month: 1,
      exp_year: 2020,
      is_default: i === 0,
      added_by: null,
      added_at: house.clock.now(),
    }
    await house.db
      .insertInto('card')
      .values({ account_id: ada.account_id, id: `crd_${i}`, provider_id: `pm_many_${i}`, ...card })
      .execute()
  }
  expect((await ada.call(ops.startCardSetup, {})).body.code).toBe('too_many_cards')
  expect((await cardsOf(ada)).every((card) => card.is_expired)).toBe(true)
})

test('of forms that were begun at once no more cards are kept than an account may have, and an hour has so many forms', async () => {
  const ada = await house.newOwner('at once')
  const forms = []
  for (let i = 0; i <= mostCards; i++) forms.push(await begin(ada))
  for (const form of forms) {
    await send(form.client_secret!, '4242424242424242')
    await ada.call(ops.finishCardSetup, { params: { card_setup_id: form.id } })
  }
  await jobs()
  expect(await cardsOf(ada)).toHaveLength(mostCards)
  const ends = []
  for (const { id } of forms) ends.push((await ada.call(ops.getCardSetup, { params: { card_setup_id: id } })).body)
  expect(ends.filter(({ state }) => state === 'failed')).toMatchObject([{ words: `An account keeps at most ${mostCards} cards` }])

  const eve = await house.newOwner('numbers')
  for (let i = 0; i < 20; i++) expect((await eve.call(ops.startCardSetup, {})).status).toBe(200)
  expect((await eve.call(ops.startCardSetup, {})).status).toBe(429)
})

test('what the provider signs and is about nothing we know changes nothing', async () => {
  for (const event of [{}, { data: null }, { data: { object: null } }, { data: { object: { object: 'setup_intent', id: { a: 1 } } } }])
    expect((await post(event)).statusCode).toBe(204)
})

test('a card is kept on the provider’s own page, where its script does not come: told by the return, or by the hook alone', async () => {
  for (const isTold of [true, false]) {
    const ada = await house.newOwner(`hosted ${isTold}`)
    const { body } = await ada.call(ops.startHostedCardSetup, {})
    expect(body).toMatchObject({ state: 'preparing', hosted_url: null })
    await jobs()
    const params = { card_setup_id: body.id }
    const { body: ready } = await ada.call(ops.getCardSetup, { params })
    expect(ready).toMatchObject({ state: 'ready', client_secret: null, hosted_url: expect.stringContaining(`${sandbox.url}/checkout/`) })
    // Back without a card: nothing is kept, and the page may be used still.
    if (isTold) expect(await finish(ada, body.id)).toMatchObject({ state: 'ready', card: null, hosted_url: ready.hosted_url })
    const page = await (await fetch(ready.hosted_url!)).text()
    await send(/"client_secret":"([^"]+)"/.exec(page)![1]!, '4242424242424242')
    const left = await fetch(`${ready.hosted_url!}/done`, { method: 'POST' })
    expect(await left.json()).toEqual({ go_to: expect.stringMatching(new RegExp(`/billing\\?card_setup=${body.id}$`)) as string })
    const id = ready.hosted_url!.split('/').at(-1)!
    if (isTold) await finish(ada, body.id)
    else await post({ type: 'checkout.session.completed', data: { object: { id, object: 'checkout.session' } } })
    await jobs()
    expect((await ada.call(ops.getCardSetup, { params })).body).toMatchObject({ state: 'done', hosted_url: null })
    expect(await cardsOf(ada)).toMatchObject([{ brand: 'Visa', last_four: '4242', is_default: true }])
  }
})

test('without a provider a form fails in words', async () => {
  const ada = await house.newOwner('none')
  const { integrations } = house.app.config
  house.app.config.integrations = { ...integrations, cardProvider: null }
  try {
    const { body } = await ada.call(ops.startCardSetup, {})
    await jobs()
    const after = await ada.call(ops.getCardSetup, { params: { card_setup_id: body.id } })
    expect(after.body).toMatchObject({ state: 'failed', words: 'This installation takes no cards' })
  } finally {
    house.app.config.integrations = integrations
  }
})

test('an account that the provider does not know any more, as after other keys, can keep a card again', async () => {
  const person = await house.newOwner('other-keys')
  const { account_id } = person
  await house.db.insertInto('card_customer').values({ account_id, provider_id: 'cus_of_before', made_at: house.clock.now() }).execute()
  const setup = await begin(person)
  await send(setup.client_secret!, '4242424242424242')
  expect((await finish(person, setup.id)).state).toBe('done')
})

test('of all that was typed above no number is in the database', async () => {
  const { rows: tables } = await sql<{ name: string }>`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(house.db)
  expect(tables.length).toBeGreaterThan(50)
  const numbers = ['4242424242424242', '5555555555554444', '4000000000009995']
    .map((number) => number.match(/.{4}/g)!.join('[ -]?'))
    .join('|')
  const holds = async (name: string) =>
    (await sql`select 1 from ${sql.raw(name)} each where each::text ~ ${numbers} limit 1`.execute(house.db)).rows.length > 0
  const found: string[] = []
  for (const { name } of tables) if (await holds(name)) found.push(name)
  expect(found).toEqual([])
})
