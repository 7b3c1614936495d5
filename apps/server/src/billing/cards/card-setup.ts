import { cardSetupOver, tooManyCards } from '@masthead/contract/billing/card-problems'
import { brandOf, cardName, mostCards, type CardSetup } from '@masthead/contract/billing/card'
import { cardAdded, cardSetupChanged } from '@masthead/contract/billing/events'
import { setupIntentPhrase } from '@masthead/contract/billing/setup-intent'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import { takeTry } from '../../auth/index.ts'
import { type Actor, type App, type Db, systemActor, type Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { eachOf } from '../../kernel/jobs/each-of.ts'
import { lockCards } from './card-queries.ts'
import { setDefault } from './change-cards.ts'
import { withCustomer } from './customers.ts'
import { idOf, providerOf } from './provider.ts'

const setupId = idKind('cst')
const cardId = idKind('crd')
const keptFor = 86_400_000 // ms

type Row = Selectable<Database['card_setup']>
type SetupOf = { account_id: string; id: string }

const setupOf = ({ id, state, client_secret, hosted_url, card_id, words }: Row): CardSetup => ({
  id,
  state,
  client_secret: state === 'ready' ? client_secret : null,
  hosted_url: state === 'ready' ? hosted_url : null,
  card: card_id,
  words,
})

const findSetup = (db: Db, { account_id, id }: SetupOf) =>
  db.selectFrom('card_setup').selectAll().where('account_id', '=', account_id).where('id', '=', id).executeTakeFirst()

/** Throws not_found. */
export async function getCardSetup(db: Db, { account_id }: Actor, id: string): Promise<CardSetup> {
  const row = await findSetup(db, { account_id, id })
  if (!row) throw new Problem(notFound)
  return setupOf(row)
}

/** Whoever has stolen numbers finds out by forms like ours which of them still work. */
const formsAnHour = 20

/** Begins to keep a card: a job asks the provider for a form; with `back`, the address of Billing, for a page of its own. Throws too_many_cards, too_many_requests. */
export async function startCardSetup(tx: Tx, { account_id, at, email }: Actor, back: string | null): Promise<CardSetup> {
  await lockCards(tx, account_id)
  await takeTry(tx, at, { key: `card forms of ${account_id}`, limit: formsAnHour, seconds: 3600 })
  await refuseTooMany(tx, account_id)
  const id = newId(setupId, at.getTime())
  const row = {
    account_id,
    id,
    state: 'preparing' as const,
    provider_id: null,
    client_secret: null,
    is_hosted: back !== null,
    hosted_url: null,
    card_id: null,
    words: null,
    begun_by: email,
    begun_at: at,
  }
  await tx.insertInto('card_setup').values(row).execute()
  await addJob(tx, 'prepare_card_setup', { account_id, id, back }, { maxAttempts: 5 })
  return setupOf(row)
}

async function refuseTooMany(tx: Tx, account_id: string) {
  if (!(await takesAnother(tx, account_id))) throw new Problem(tooManyCards)
}

async function takesAnother(tx: Tx, account_id: string): Promise<boolean> {
  const { cards } = await tx
    .selectFrom('card')
    .select((eb) => eb.fn.countAll<number>().as('cards'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  return Number(cards) < mostCards
}

/** Asks the provider for a form. Once per setup, however often it runs. */
export async function prepareCardSetup(app: App, { back, ...of }: SetupOf & { back?: string | null }): Promise<void> {
  const row = await findSetup(app.db, of)
  if (row?.state !== 'preparing') return
  const provider = providerOf(app)
  if (!provider) return failSetup(app, of, 'This installation takes no cards')
  const metadata = { account: of.account_id, card_setup: of.id }
  const made = await withCustomer(app, provider, of.account_id, async (customer) => {
    const asked = { customer, allowed_payment_method_types: ['card' as const], metadata }
    const once = { idempotencyKey: `${of.id} ${customer}` }
    if (!back) return provider.setupIntents.create({ ...asked, usage: 'off_session' }, once)
    const addresses = { success_url: `${back}?card_setup=${of.id}`, cancel_url: back }
    return provider.checkout.sessions.create({ ...asked, ...addresses, mode: 'setup', setup_intent_data: { metadata } }, once)
  })
  const { id: provider_id } = made
  const place = made.object === 'setup_intent' ? { client_secret: made.client_secret } : { hosted_url: made.url }
  await changeSetup(app, of, ['preparing'], { state: 'ready', provider_id, ...place })
}

/** After the last try. */
export const giveUpCardSetup = (app: App, of: SetupOf) =>
  failSetup(app, of, 'The card provider could not be reached. Try again in a few minutes')

const failSetup = (app: App, of: SetupOf, words: string) =>
  changeSetup(app, of, ['preparing', 'ready', 'checking'], { state: 'failed', client_secret: null, hosted_url: null, words })

async function changeSetup(app: App, { account_id, id }: SetupOf, from: readonly Row['state'][], set: Partial<Row>): Promise<void> {
  await app.db.transaction().execute((tx) =>
    tx
      .updateTable('card_setup')
      .set(set)
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('state', 'in', [...from])
      .execute()
  )
}

/** The browser says that it sent the card: a job asks the provider what came of it. Throws not_found, card_setup_over. */
export async function finishCardSetup(tx: Tx, { account_id }: Actor, id: string): Promise<CardSetup> {
  const row = await tx
    .selectFrom('card_setup')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  if (row.state === 'done' || row.state === 'checking') return setupOf(row)
  if (row.state !== 'ready') throw new Problem(cardSetupOver)
  await tx.updateTable('card_setup').set({ state: 'checking' }).where('account_id', '=', account_id).where('id', '=', id).execute()
  await addJob(tx, 'settle_card_setup', { provider_id: row.provider_id }, { maxAttempts: 5 })
  return setupOf({ ...row, state: 'checking' })
}

/** Keeps a card whose setup the provider says is done, whoever said so first: the browser, or the provider. May be repeated. */
export async function settleCardSetup(app: App, { provider_id }: { provider_id: string }): Promise<void> {
  const provider = providerOf(app)
  const setup = await app.db.selectFrom('card_setup').selectAll().where('provider_id', '=', provider_id).executeTakeFirst()
  if (!provider || !setup || setup.state === 'done' || setup.state === 'failed') return
  const { account_id, begun_by } = setup
  const intent = await findIntent(provider, setup.is_hosted, provider_id)
  const method_id = idOf(intent.payment_method)
  const actor = { ...systemActor(account_id, app.clock.now()), ...(begun_by && { email: begun_by }) }
  if (intent.status !== 'succeeded' || method_id === null) {
    const isOver = intent.status === 'canceled'
    // Until somebody sent a card there is nothing to say of it, but that none can be sent any more.
    if (setup.state !== 'checking' && !isOver) return
    const words = isOver
      ? 'The card provider has ended this form'
      : (intent.last_setup_error?.message ?? `The card ${setupIntentPhrase(intent.status)}`)
    await app.db.transaction().execute(async (tx) => {
      const set = isOver ? { state: 'failed' as const, client_secret: null, hosted_url: null, words } : { state: 'ready' as const, words }
      const { numUpdatedRows } = await tx
        .updateTable('card_setup')
        .set(set)
        .where('provider_id', '=', provider_id)
        .where('state', 'in', isOver ? ['ready', 'checking'] : ['checking'])
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await record(tx, actor, cardSetupChanged, { setup_intent_status: intent.status, payment_method: null })
    })
    return
  }
  const { card } = typeof intent.payment_method === 'string' ? await provider.paymentMethods.retrieve(method_id) : intent.payment_method!
  if (!card) throw new Error('The card provider kept something that is no card')
  await app.db.transaction().execute(async (tx) => {
    await lockCards(tx, account_id)
    const now = await tx.selectFrom('card_setup').select('state').where('provider_id', '=', provider_id).forUpdate().executeTakeFirst()
    if (!now || now.state === 'done') return
    // Of several forms that were begun at once, others were first.
    if (!(await takesAnother(tx, account_id))) {
      const left = { state: 'failed' as const, client_secret: null, hosted_url: null, words: tooManyCards.title }
      await tx.updateTable('card_setup').set(left).where('provider_id', '=', provider_id).execute()
      return addJob(tx, 'detach_card', { provider_id: method_id })
    }
    const id = newId(cardId, actor.at.getTime())
    const { brand, last4: last_four, exp_month, exp_year } = card
    await tx
      .insertInto('card')
      .values({
        account_id,
        id,
        provider_id: method_id,
        brand,
        last_four,
        exp_month,
        exp_year,
        is_default: false,
        added_by: begun_by,
        added_at: actor.at,
      })
      .execute()
    // A card is added because credits are to be bought with it.
    await setDefault(tx, account_id, id)
    await tx
      .updateTable('card_setup')
      .set({ state: 'done', client_secret: null, hosted_url: null, card_id: id, words: null })
      .where('provider_id', '=', provider_id)
      .execute()
    const payment_method = cardName({ brand: brandOf(brand), last_four })
    await record(tx, actor, cardSetupChanged, { setup_intent_status: intent.status, payment_method })
    await record(tx, actor, cardAdded, { payment_method })
  })
}

type Outcome = Pick<Stripe.SetupIntent, 'status' | 'payment_method' | 'last_setup_error'>

/** What came of a form. Of a page of the provider that ended without a card it is over; before its intent is there nothing was entered. */
async function findIntent(provider: Stripe, is_hosted: boolean, provider_id: string): Promise<Outcome> {
  const page = is_hosted ? await provider.checkout.sessions.retrieve(provider_id) : null
  if (page?.status === 'expired') return { status: 'canceled', payment_method: null, last_setup_error: null }
  const id = page ? idOf(page.setup_intent) : provider_id
  if (id === null) return { status: 'requires_payment_method', payment_method: null, last_setup_error: null }
  return provider.setupIntents.retrieve(id, { expand: ['payment_method'] })
}

/** After the last try: the form may be used again, or left, and a timed job goes on asking. */
export async function giveUpSettling({ db }: App, { provider_id }: { provider_id: string }): Promise<void> {
  const words = 'The card provider could not be reached. We go on asking: the card is kept as soon as it answers'
  await db
    .transaction()
    .execute((tx) =>
      tx
        .updateTable('card_setup')
        .set({ state: 'ready', words })
        .where('provider_id', '=', provider_id)
        .where('state', '=', 'checking')
        .execute()
    )
}

const soon = 30_000 // ms
const lookedAtFor = 3_600_000 // ms

/** Asks about forms that nobody said anything of: a hook may be lost, and a browser closed. */
export async function checkCardSetups(app: App): Promise<void> {
  if (!providerOf(app)) return
  const at = app.clock.now().getTime()
  const waiting = await app.db
    .selectFrom('card_setup')
    .select('provider_id')
    .where('state', 'in', ['ready', 'checking'])
    .where('provider_id', 'is not', null)
    .where('begun_at', '<', new Date(at - soon))
    .where((eb) => eb.or([eb('begun_at', '>', new Date(at - lookedAtFor)), eb('state', '=', 'checking')]))
    .orderBy('begun_at')
    .limit(100)
    .execute()
  await eachOf(waiting, ({ provider_id }) => settleCardSetup(app, { provider_id: provider_id! }))
}

/** Forms that nobody used. */
export async function forgetCardSetups({ db, clock }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - keptFor)
  await db.transaction().execute((tx) => tx.deleteFrom('card_setup').where('begun_at', '<', before).execute())
}
