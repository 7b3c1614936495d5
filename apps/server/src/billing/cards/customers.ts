import type Stripe from 'stripe'
import type { App } from '../../kernel/app.ts'
import { isMissing } from './provider.ts'

/** The account as the provider knows it; made with the first card. `gone`: the one of before, which it does not know. */
export async function customerOf(app: App, provider: Stripe, account_id: string, gone?: string): Promise<string> {
  const find = () => app.db.selectFrom('card_customer').select('provider_id').where('account_id', '=', account_id).executeTakeFirst()
  const known = await find()
  if (known) return known.provider_id
  const account = await app.db.selectFrom('account').select('team_name').where('id', '=', account_id).executeTakeFirstOrThrow()
  const { id } = await provider.customers.create(
    { name: account.team_name, metadata: { account: account_id } },
    { idempotencyKey: `customer of ${account_id}${gone ? ` after ${gone}` : ''}` }
  )
  await app.db.transaction().execute((tx) =>
    tx
      .insertInto('card_customer')
      .values({ account_id, provider_id: id, made_at: app.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  )
  return (await find())!.provider_id
}

/** Asks the provider for something of an account. Where it does not know the account any more, as after other keys, the account is made anew there, once. */
export async function withCustomer<Made>(
  app: App,
  provider: Stripe,
  account_id: string,
  make: (customer: string) => Promise<Made>
): Promise<Made> {
  const customer = await customerOf(app, provider, account_id)
  return make(customer).catch(async (error: unknown) => {
    if (!isMissing(error, 'customer')) throw error
    await app.db
      .transaction()
      .execute((tx) => tx.deleteFrom('card_customer').where('account_id', '=', account_id).where('provider_id', '=', customer).execute())
    return make(await customerOf(app, provider, account_id, customer))
  })
}
