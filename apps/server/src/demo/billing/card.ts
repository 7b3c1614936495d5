import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '@masthead/contract/kernel/id'
import type { Config } from '../../kernel/config.ts'
import type { Tx } from '../../kernel/app.ts'

// The card that the demo's credits were bought with, as the sandbox of cards keeps it.
const customer = 'cus_demo'
export const demoMethod = 'pm_demo'
const [brand, last4, exp_month] = ['visa', '4242', 12]
const yearAfter = (now: Date) => now.getUTCFullYear() + 4

/** Is the provider of cards the sandbox, which takes the demo's card? */
const takesDemoCard = ({ cardSandbox, integrations }: Config) => Boolean(cardSandbox && integrations.cardProvider?.api)

/** Keeps the card on the account, where it can be charged. */
export async function writeDemoCard(tx: Tx, config: Config, account_id: string, now: Date): Promise<void> {
  if (!takesDemoCard(config)) return
  const added_at = new Date(now.getTime() - 92 * 86_400_000)
  await tx.insertInto('card_customer').values({ account_id, provider_id: customer, made_at: added_at }).execute()
  await tx
    .insertInto('card')
    .values({
      account_id,
      id: newId({ prefix: 'crd' }, added_at.getTime()),
      provider_id: demoMethod,
      brand,
      last_four: last4,
      exp_month,
      exp_year: yearAfter(now),
      is_default: true,
      added_by: 'owner@demo.test',
      added_at,
    })
    .execute()
}

/** The same in the sandbox's own file, which it reads when it starts: the last line of an id counts. */
export async function addDemoCardToSandbox(config: Config, now: Date): Promise<void> {
  if (!takesDemoCard(config)) return
  const shared = { created: Math.floor(now.getTime() / 1000), livemode: false, metadata: {} }
  const entities = [
    {
      id: customer,
      object: 'customer',
      ...shared,
      email: 'owner@demo.test',
      name: 'Acme Telemetry',
      invoice_settings: { default_payment_method: demoMethod },
    },
    {
      id: demoMethod,
      object: 'payment_method',
      ...shared,
      type: 'card',
      customer,
      card: {
        brand,
        display_brand: brand,
        funding: 'credit',
        country: 'US',
        last4,
        exp_month,
        exp_year: yearAfter(now),
        fingerprint: 'demo',
        three_d_secure_usage: { supported: true },
      },
      behaves_as: '424242',
      is_set_up: true,
    },
  ]
  await appendFile(join(config.dataDir, 'card-sandbox.jsonl'), entities.map((entity) => `${JSON.stringify(entity)}\n`).join(''), {
    mode: 0o600,
  })
}
