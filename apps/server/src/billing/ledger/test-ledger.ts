import type { Currency } from '@masthead/contract/billing/money'
import { micros } from '@masthead/contract/billing/money'
import type { House } from '@masthead/testkit/house'
import { switchOn } from './billing-account.ts'
import { post } from './post.ts'
import type { Posting } from './posting.ts'

type On = Pick<House, 'app' | 'clock'>

export const usd = 'USD' as Currency

export const openBilling = ({ app, clock }: On, account_id: string) =>
  app.db.transaction().execute((tx) => switchOn(tx, { account_id, currency: usd, by: 'staff@example.test', at: clock.now() }))

export const charging = (account_id: string, key: string, amount: number, more: Partial<Posting> = {}): Posting => ({
  account_id,
  key,
  type: amount > 0 ? 'credit' : 'charge',
  sub_type: amount > 0 ? 'topup' : 'payg_data',
  amount_micros: micros(amount),
  against: amount > 0 ? 'cash' : 'revenue',
  description: amount > 0 ? 'Credits' : 'Data',
  actor: 'system',
  source: 'system',
  ...more,
})

export const postAll = ({ app, clock }: On, postings: readonly Posting[]) =>
  app.db.transaction().execute((tx) => post(tx, clock.now(), postings))
