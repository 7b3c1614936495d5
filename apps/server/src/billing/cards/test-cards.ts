import { newId } from '@masthead/contract/kernel/id'
import type { House } from '@masthead/testkit/house'

let made = 0

/** A card that the provider keeps, and a form that is ready for one. */
export async function putCard({ db, clock }: Pick<House, 'db' | 'clock'>, { account_id, email }: { account_id: string; email: string }) {
  const at = clock.now()
  const [card_id, card_setup_id, other_card_id] = [newId({ prefix: 'crd' }), newId({ prefix: 'cst' }), newId({ prefix: 'crd' })]
  for (const [id, is_default] of [
    [card_id, true],
    [other_card_id, false],
  ] as const) {
    const card = { brand: 'visa', last_four: '4242', exp_month: 12, exp_year: 2040, added_by: email, added_at: at }
    await db
      .insertInto('card')
      .values({ account_id, id, provider_id: `pm_test_${++made}`, is_default, ...card })
      .execute()
  }
  const setup = { state: 'ready' as const, client_secret: 'seti_secret', card_id: null, words: null, begun_by: email, begun_at: at }
  await db
    .insertInto('card_setup')
    .values({ account_id, id: card_setup_id, provider_id: `seti_test_${++made}`, ...setup })
    .execute()
  return { card_id, other_card_id, card_setup_id }
}
