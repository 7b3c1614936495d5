import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { startSandbox, type Sandbox } from './start-sandbox.ts'

const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1' }

const clientOf = ({ url }: Sandbox, retries = 0) => {
  const { hostname, port } = new URL(url)
  return new Stripe('sk_test_1', { host: hostname, port, protocol: 'http', maxNetworkRetries: retries, telemetry: false })
}

async function open(given: Partial<Parameters<typeof startSandbox>[0]> = {}) {
  const sandbox = await startSandbox({ port: 0, ...keys, ...given })
  return { sandbox, stripe: clientOf(sandbox), [Symbol.asyncDispose]: () => sandbox.close() }
}

/** What a frame of the sandbox sends once a card was typed. */
const type = async ({ url }: Sandbox, intent: { id: string; client_secret: string | null }, number: string) => {
  const kind = intent.id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'
  const body = new URLSearchParams({ client_secret: intent.client_secret! })
  for (const [name, value] of Object.entries({ number, exp_month: '12', exp_year: '2040', cvc: '123' }))
    body.set(`payment_method_data[card][${name}]`, value)
  const answer = await fetch(`${url}/v1/${kind}/${intent.id}/confirm`, {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer pk_test_1' },
  })
  return (await answer.json()) as { status?: string; error?: { code: string; message: string }; next_action?: unknown }
}

const agree = ({ url }: Sandbox, id: string, agrees = true) =>
  fetch(`${url}/authenticate/${id}`, { method: 'POST', body: new URLSearchParams({ agrees: String(agrees) }) })

/** A customer with a card that may be charged without them. */
async function withCard({ sandbox, stripe }: Awaited<ReturnType<typeof open>>, number: string) {
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.test', metadata: { account: 'acc_1' } })
  const intent = await stripe.setupIntents.create({ customer, usage: 'off_session' })
  const typed = await type(sandbox, intent, number)
  if (typed.status === 'requires_action') await agree(sandbox, intent.id)
  const { status, payment_method } = await stripe.setupIntents.retrieve(intent.id)
  return { customer, status, payment_method: payment_method as string }
}

const charge = (stripe: Stripe, of: { customer: string; payment_method: string }, options: Stripe.RequestOptions = {}) =>
  stripe.paymentIntents.create(
    { amount: 2500, currency: 'usd', customer: of.customer, payment_method: of.payment_method, confirm: true, off_session: true },
    options
  )

test('a card is kept, shown, charged without its holder, paid back in two parts, and let go', async () => {
  await using world = await open()
  const { stripe } = world
  const kept = await withCard(world, '5555 5555 5555 4444')
  expect(kept.status).toBe('succeeded')
  await stripe.customers.update(kept.customer, { invoice_settings: { default_payment_method: kept.payment_method } })
  const [card] = (await stripe.customers.listPaymentMethods(kept.customer)).data
  expect(card!.card).toMatchObject({ brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2040 })

  const paid = await charge(stripe, kept)
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2500 })
  await stripe.refunds.create({ payment_intent: paid.id, amount: 1000 })
  await expect(stripe.refunds.create({ payment_intent: paid.id, amount: 1501 })).rejects.toThrow('greater than unrefunded amount')
  await stripe.refunds.create({ payment_intent: paid.id })
  expect(await stripe.charges.retrieve(paid.latest_charge as string)).toMatchObject({ amount_refunded: 2500, refunded: true })

  await stripe.paymentMethods.detach(kept.payment_method)
  expect((await stripe.customers.listPaymentMethods(kept.customer)).data).toEqual([])
  expect(await stripe.customers.retrieve(kept.customer)).toMatchObject({ invoice_settings: { default_payment_method: null } })
})

test('a dispute is won by evidence, and what is paid back to some cards fails later', async () => {
  await using world = await open()
  const { stripe } = world
  const disputed = await charge(stripe, await withCard(world, '4000000000000259'))
  const [dispute] = (await stripe.disputes.list({ payment_intent: disputed.id })).data
  expect(dispute).toMatchObject({ amount: 2500, status: 'needs_response' })
  const evidence = { uncategorized_text: 'winning_evidence' }
  expect((await stripe.disputes.update(dispute!.id, { evidence, submit: true })).status).toBe('won')
  expect((await stripe.events.list({ type: 'charge.dispute.closed' })).data).toMatchObject([{ data: { object: { status: 'won' } } }])

  const paid = await charge(stripe, await withCard(world, '4000000000005126'))
  const refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 1000 })
  expect(refund.status).toBe('succeeded')
  await expect.poll(async () => (await stripe.refunds.list({ payment_intent: paid.id })).data[0]!.status, { timeout: 5000 }).toBe('failed')
  expect((await stripe.events.list({ type: 'refund.failed' })).data).toHaveLength(1)
})

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
  ['4000000000000069', 'expired_card', undefined],
  ['4000000000000127', 'incorrect_cvc', undefined],
  ['4000000000000119', 'processing_error', undefined],
  ['4242424242424241', 'incorrect_number', undefined],
  ['4916909992637469', 'card_declined', 'test_mode_live_card'],
])('the card %s cannot be kept: %s', async (number, code, decline_code) => {
  await using world = await open()
  const intent = await world.stripe.setupIntents.create({ usage: 'off_session' })
  const { error } = await type(world.sandbox, intent, number)
  expect(error).toMatchObject({ type: 'card_error', code, ...(decline_code && { decline_code }) })
  expect(await world.stripe.setupIntents.retrieve(intent.id)).toMatchObject({ status: 'requires_payment_method' })
})

test('a card that is kept and then declined says so, with its intent', async () => {
  await using world = await open()
  const kept = await withCard(world, '4000000000000341')
  expect(kept.status).toBe('succeeded')
  const refused = await charge(world.stripe, kept).catch((error: unknown) => error as InstanceType<typeof Stripe.errors.StripeCardError>)
  expect(refused).toMatchObject({
    code: 'card_declined',
    decline_code: 'generic_decline',
    payment_intent: { status: 'requires_payment_method' },
  })
})

test('a bank that asks once is asked when the card is kept; one that always asks refuses a charge without its holder', async () => {
  await using world = await open()
  const { stripe, sandbox } = world
  const once = await withCard(world, '4000002500003155')
  expect((await charge(stripe, once)).status).toBe('succeeded')
  const always = await withCard(world, '4000002760003184')
  await expect(charge(stripe, always)).rejects.toMatchObject({ code: 'authentication_required' })

  const { customer, payment_method } = always
  const there = { amount: 900, currency: 'usd', customer, payment_method, confirm: true }
  const [agreed, refused] = [await stripe.paymentIntents.create(there), await stripe.paymentIntents.create(there)]
  expect(agreed).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } })
  await agree(sandbox, agreed.id)
  await agree(sandbox, refused.id, false)
  expect((await stripe.paymentIntents.retrieve(agreed.id)).status).toBe('succeeded')
  const after = await stripe.paymentIntents.retrieve(refused.id)
  expect(after).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code: 'payment_intent_authentication_failure' } })
  // It is answered once.
  await agree(sandbox, refused.id)
  expect((await stripe.paymentIntents.retrieve(refused.id)).status).toBe('requires_payment_method')
})

test('a call sent again with its key has one effect and the same answer; with another body it is refused', async () => {
  await using world = await open()
  const kept = await withCard(world, '4242424242424242')
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => charge(world.stripe, kept, { idempotencyKey: 'once' })))
  const answered = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []))
  expect(new Set(answered).size).toBe(1)
  expect((await charge(world.stripe, kept, { idempotencyKey: 'once' })).id).toBe(answered[0])
  expect((await world.stripe.paymentIntents.list({ customer: kept.customer })).data).toHaveLength(1)
  await expect(world.stripe.customers.create({ email: 'b@example.test' }, { idempotencyKey: 'once' })).rejects.toThrow('same parameters')
})

test('what a browser may ask: an intent by its secret, without what is the server’s, and nothing else', async () => {
  await using world = await open()
  const { url } = world.sandbox
  const intent = await world.stripe.setupIntents.create({ metadata: { account: 'acc_1' } })
  const ask = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: 'Bearer pk_test_1' } })
    return { status: answer.status, body: (await answer.json()) as { metadata?: unknown } }
  }
  expect(await ask(`/v1/setup_intents/${intent.id}?client_secret=${intent.client_secret}`)).toMatchObject({
    status: 200,
    body: { metadata: {} },
  })
  expect(await ask(`/v1/setup_intents/${intent.id}?client_secret=other`)).toMatchObject({ status: 404 })
  expect(await ask('/v1/customers/cus_1')).toMatchObject({ status: 401 })
  expect(await ask('/v1/events')).toMatchObject({ status: 401 })
  // A card's number from a server is refused, so that none ever goes that way.
  const body = { payment_method_data: { type: 'card', card: { number: '4242424242424242', exp_month: 1, exp_year: 2040 } } }
  await expect(world.stripe.setupIntents.confirm(intent.id, body as never)).rejects.toThrow('generally unsafe')
})

test('events are signed, come again when they are not taken, and are in a list', async () => {
  const heard: { type: string; signature: string; body: string }[] = []
  let refusals = 1
  const receiver = createServer(async (request: IncomingMessage, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    if (refusals-- > 0) return reply.writeHead(500).end()
    heard.push({ type: (JSON.parse(body) as { type: string }).type, signature: String(request.headers['stripe-signature']), body })
    reply.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))
  const { port } = receiver.address() as { port: number }
  try {
    await using world = await open({ webhook: { url: `http://127.0.0.1:${port}/hook`, secret: 'whsec_1' } })
    const kept = await withCard(world, '4000000000000259')
    await charge(world.stripe, kept)
    await expect
      .poll(() => heard.map((each) => each.type).sort(), { timeout: 10_000 })
      .toEqual([
        'charge.dispute.created',
        'charge.dispute.funds_withdrawn',
        'charge.succeeded',
        'customer.created',
        'payment_intent.created',
        'payment_intent.succeeded',
        'payment_method.attached',
        'setup_intent.created',
        'setup_intent.succeeded',
      ])
    const { body, signature } = heard[0]!
    expect(world.stripe.webhooks.constructEvent(body, signature, 'whsec_1').object).toBe('event')
    expect(() => world.stripe.webhooks.constructEvent(body, signature, 'whsec_2')).toThrow('No signatures found')
    const ids: string[] = []
    for await (const event of world.stripe.events.list({ limit: 2 })) ids.push(event.id)
    expect([ids.length, new Set(ids).size]).toEqual([9, 9])
  } finally {
    receiver.close()
  }
})

test('it knows everything again after its end, half a line too; no card number is in its file', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'card-sandbox-'))
  try {
    const file = join(dir, 'cards.jsonl')
    const kept = await (async () => {
      await using world = await open({ file })
      return await withCard(world, '4242424242424242')
    })()
    expect(readFileSync(file, 'utf8')).not.toContain('42424242')
    const { appendFileSync } = await import('node:fs')
    appendFileSync(file, '{"id":"cus_half')
    await using world = await open({ file })
    expect((await charge(world.stripe, kept)).status).toBe('succeeded')
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('a page of its own takes a payment where the script did not come', async () => {
  await using world = await open()
  const { stripe, sandbox } = world
  const { id: customer } = await stripe.customers.create({})
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    success_url: 'http://127.0.0.1:1/back?session={CHECKOUT_SESSION_ID}',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 4200, product_data: { name: 'Credits' } } }],
    payment_intent_data: { metadata: { top_up: 'top_1' } },
  })
  const page = await (await fetch(session.url!)).text()
  expect(page).toContain('"amount":4200')
  const done = () => fetch(`${session.url!}/done`, { method: 'POST' })
  expect((await done()).status).toBe(400)
  const intent = await stripe.paymentIntents.retrieve(session.payment_intent as string)
  expect(intent.metadata).toEqual({ top_up: 'top_1' })
  expect((await type(sandbox, intent, '4242424242424242')).status).toBe('succeeded')
  expect(await (await done()).json()).toEqual({ go_to: `http://127.0.0.1:1/back?session=${session.id}` })
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete', payment_status: 'paid' })
})

test('a page of another origin asks for its intent, and for nothing else', async () => {
  await using house = await open()
  const { sandbox, stripe } = house
  const { id, client_secret } = await stripe.paymentIntents.create({ amount: 1250, currency: 'usd' })
  const asked = {
    origin: 'https://console.example.test',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  }
  const before = await fetch(`${sandbox.url}/v1/payment_intents/${id}`, { method: 'OPTIONS', headers: asked })
  expect(before.status).toBe(204)
  expect(before.headers.get('access-control-allow-headers')).toContain('authorization')
  const answer = await fetch(`${sandbox.url}/v1/payment_intents/${id}?client_secret=${client_secret}`, {
    headers: { origin: asked.origin, authorization: 'Bearer pk_test_1' },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const customers = await fetch(`${sandbox.url}/v1/customers`, { method: 'OPTIONS', headers: asked })
  expect(customers.headers.get('access-control-allow-origin')).toBeNull()
})

test('as a process, it ends when its parent is gone', async () => {
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), { env: { ...process.env, MASTHEAD_CARD_SANDBOX_PORT: '0' } })
  expect((await once(child, 'message'))[0]).toEqual({ ready: true })
  const ended = once(child, 'exit')
  child.disconnect()
  expect(await ended).toEqual([0, null])
})
