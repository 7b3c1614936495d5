import type { Page } from '@playwright/test'
import type { Asset } from '@masthead/contract/assets/asset'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { expect } from './fixtures.ts'
import { openAccount } from './new-account.ts'

export type Own = { email: string; assets: Asset[]; spare: string }

/** An account of its own with some assets, and one more SIM in stock: what is done to them disturbs no other test. */
export async function openWithSims(page: Page, count: number): Promise<Own> {
  const name = crypto.randomUUID().slice(0, 8)
  const email = await openAccount(page, { email: `${name}@example.test`, password: 'correct horse battery', team_name: `SIMs ${name}` })
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const digits = Array.from({ length: count + 1 }, () => String(Math.floor(Math.random() * 1e9)).padStart(9, '0'))
  const none = { msisdn: null, eid: null, imei: null, account_id: null, asset_id: null, registered_at: null }
  await db
    .insertInto('inventory')
    .values(
      digits.map((each) => ({
        ...none,
        serial: `T-${each}`,
        type: 'plastic_sim' as const,
        iccid: `893199000${each}`,
        imsis: [`901700${each}`],
      }))
    )
    .execute()
  await db.destroy()
  const assets: Asset[] = []
  for (const each of digits.slice(1)) {
    const answer = await page.request.post('/v1/assets', { data: { token: `T-${each}`, name: `pump-${each.slice(-4)}` } })
    expect(answer.status(), await answer.text()).toBe(200)
    assets.push((await answer.json()) as Asset)
  }
  return { email, assets, spare: `T-${digits[0]}` }
}
