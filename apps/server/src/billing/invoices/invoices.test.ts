import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ops from '@masthead/contract/billing/invoices/operations'
import { getTransaction, listTransactions } from '@masthead/contract/billing/operations'
import { toCents } from '@masthead/contract/billing/invoices/document'
import { createTopUp } from '@masthead/contract/billing/top-up-operations'
import type { Person } from '@masthead/testkit/house'
import { putPool } from '../../datapools/test-pools.ts'
import { proveLedger, type Posting } from '../ledger/index.ts'
import { charging, openBilling, postAll } from '../ledger/test-ledger.ts'
import { settlePayment } from '../payments/settle-payment.ts'
import { newBuyer, openShop } from '../payments/test-buyer.ts'
import { settleCharges } from '../settling/settle.ts'
import { putTariff } from '../tariffs/test-tariffs.ts'
import { closeMonths } from './close-months.ts'
import { documentFile } from './document-file.ts'
import { getDocument } from './document-queries.ts'

let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const profile = {
  company: 'Acme Telemetri Ağları AB',
  address: 'Hamngatan 4',
  postal_code: '211 22',
  city: 'Malmö',
  country: 'SE',
  tax_id: 'SE556677889901',
  emails: ['accounting@acme.example'],
}
const monthStart = (shift: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + shift))
}
const monthOf = (shift: number) => monthStart(shift).toISOString().slice(0, 7)
const inMonth = (shift: number, day: number) => new Date(monthStart(shift).getTime() + day * 86_400_000)

const documentsOf = async (person: Person) => (await person.call(ops.listDocuments)).body.items
const linesOf = async ({ account_id }: Person, id: string) =>
  (await getDocument(shop.house.app.db, { account_id }, id)).lines.map(({ words, quantity, micros }) => [words, quantity, micros])

/** The number of what an entry of the ledger stands in. */
const documentOf = async (person: Person, { id }: { id: string }) =>
  (await person.call(getTransaction, { params: { transaction_id: id } })).body.document?.number

let posted = 0
const usage = (person: Person, at: Date, mb: number, price: number, amount: number, more: Partial<Posting> = {}) =>
  charging(person.account_id, `bill ${++posted}`, amount, {
    source: 'usage',
    quantity: mb * 1e6,
    unit: 'byte',
    unit_price_micros: price,
    zone: 'EU1',
    effective_at: at,
    ...more,
  })
const fee = (person: Person, at: Date, price: number) =>
  charging(person.account_id, `bill ${++posted}`, 0 - price, {
    sub_type: 'sim_monthly',
    description: 'Active SIM, October 2026',
    quantity: 1,
    unit: 'SIM',
    unit_price_micros: price,
    effective_at: at,
  })

test('half to even, to the cent', () => {
  expect([27_710_391, 5_000, 15_000, 15_001, -5_000, -15_000, 0].map(toCents)).toEqual([27_710_000, 0, 20_000, 20_000, 0, -20_000, 0])
})

test('a profile in letters that documents do not have is refused, by its fields', async () => {
  const person = await shop.house.newOwner('Letters')
  await openBilling(shop.house, person.account_id)
  const put = (more: object) => person.call(ops.setBillingProfile, { body: { ...profile, ...more } })
  const refused = await put({ company: '株式会社 Acme', city: 'תל אביב' })
  expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([400, ['company', 'city']])
  expect((await put({ company: 'Ελληνικά Привет, Ağları & Co. № 1' })).status).toBe(200)
})

test('a month is invoiced once, to the cent by hand, after 72 hours and with a billing profile; what comes later is in the next', async () => {
  const { house } = shop
  const person = await house.newOwner('billed')
  expect((await person.call(ops.setBillingProfile, { body: profile })).body.code).toBe('billing_off')
  await openBilling(house, person.account_id)
  await house.db
    .updateTable('billing_account')
    .set({ enabled_at: inMonth(-2, 3) })
    .where('account_id', '=', person.account_id)
    .execute()
  const at = inMonth(-2, 9)
  // 18.6 MB × $0.35 = $6.51; 4,096 bytes at $0.10 a MiB = $0.000390625, as it was charged 391 micros.
  await postAll(house, [
    charging(person.account_id, 'paid in', 100_000_000, { effective_at: at }),
    usage(person, at, 18.6, 350_000, -6_510_000),
    usage(person, inMonth(-2, 20), 0.004096, 350_000, -391),
    // Ten SIMs at $2.00 and two at $1.60.
    ...Array.from({ length: 10 }, () => fee(person, at, 2_000_000)),
    ...Array.from({ length: 2 }, () => fee(person, at, 1_600_000)),
    charging(person.account_id, 'back', 2_000_000, {
      type: 'refund',
      sub_type: 'sim_monthly',
      against: 'revenue',
      description: 'Refund: Active SIM, October 2026',
      effective_at: at,
    }),
    // Of the month after.
    usage(person, inMonth(-1, 5), 1, 350_000, -350_000),
  ])
  house.clock.set(new Date(monthStart(-1).getTime() + 71 * 3_600_000))
  await closeMonths(house.app)
  expect(await documentsOf(person)).toEqual([])
  house.clock.set(new Date(monthStart(-1).getTime() + 72 * 3_600_000))
  await closeMonths(house.app)
  expect(await documentsOf(person)).toEqual([])
  expect((await person.call(ops.getBillingProfile)).body).toEqual({ profile: null, waiting_months: [monthOf(-2)] })
  await person.call(ops.setBillingProfile, { body: profile })
  await Promise.all([closeMonths(house.app), closeMonths(house.app)])
  await house.settle()
  const [october, ...none] = await documentsOf(person)
  expect(none).toEqual([])
  // 6.510391 + 20.00 + 3.20 − 2.00 = 27.710391, so $27.71.
  expect(october).toMatchObject({ kind: 'invoice', month: monthOf(-2), net_micros: 27_710_000, tax_micros: 0, total_micros: 27_710_000 })
  expect(await linesOf(person, october!.id)).toEqual([
    ['Data, zone EU1', '18.604096 MB × $0.35 per MB', 6_510_391],
    ['Active SIM, October 2026', '2 SIMs × $1.60', 3_200_000],
    ['Active SIM, October 2026', '10 SIMs × $2.00', 20_000_000],
    ['Refund: Active SIM, October 2026', null, -2_000_000],
    ['Rounding to the cent', null, -391],
  ])
  expect((await house.mails('accounting@acme.example')).at(-1)).toMatchObject({ subject: expect.stringContaining(october!.number) })

  // Reported late: of October, and posted after it was closed.
  await postAll(house, [usage(person, inMonth(-2, 30), 2, 350_000, -700_000, { type: 'adjustment' })])
  house.clock.set(new Date(monthStart(0).getTime() + 73 * 3_600_000))
  await closeMonths(house.app)
  const [november] = await documentsOf(person)
  expect(await linesOf(person, november!.id)).toEqual([
    ['Data, zone EU1', '1 MB × $0.35 per MB', 350_000],
    ['Data, zone EU1, reported late or corrected', '2 MB × $0.35 per MB', 700_000],
  ])
  // All invoices together, with their rounding taken out, are the revenue of the ledger.
  const lines = [...(await linesOf(person, october!.id)), ...(await linesOf(person, november!.id))]
  const invoiced = lines.reduce((sum, [words, , micros]) => sum + (words === 'Rounding to the cent' ? 0 : (micros as number)), 0)
  const { revenue } = await house.db
    .selectFrom('ledger_entry')
    .select(({ fn }) => fn.sum<string>('amount_micros').as('revenue'))
    .where('account_id', '=', person.account_id)
    .where('ledger_account', '=', 'revenue')
    .executeTakeFirstOrThrow()
  expect(BigInt(invoiced)).toBe(BigInt(revenue))
  const entries = (await person.call(listTransactions, { query: { page_size: 100 } as never })).body.items
  const standsIn = (amount: number) =>
    documentOf(
      person,
      entries.find(({ amount_micros }) => amount_micros === amount)!
    )
  expect(await Promise.all([-6_510_000, 2_000_000, -350_000, -700_000, 100_000_000].map(standsIn))).toEqual([
    october!.number,
    october!.number,
    november!.number,
    november!.number,
    undefined,
  ])
  house.clock.set(new Date())
})

test('receipts and credit notes: numbers without a gap though many are issued at once, the file is a PDF of the same bytes each time', async () => {
  const { house } = shop
  const buyers: Awaited<ReturnType<typeof newBuyer>>[] = []
  for (const name of ['one', 'two', 'three', 'four']) buyers.push(await newBuyer(shop, name))
  for (let round = 0; round < 2; round++) {
    for (const { person, card_id } of buyers) await person.call(createTopUp, { body: { amount_micros: 50_000_000, card_id } })
    await Promise.all([house.settle(), house.settle(), house.settle()])
    await house.settle()
  }
  const { person } = buyers[0]!
  const other = buyers[1]!.person
  await person.call(ops.setBillingProfile, { body: profile })
  const top_up = await house.db
    .selectFrom('top_up')
    .select('provider_id')
    .where('account_id', '=', person.account_id)
    .executeTakeFirstOrThrow()
  await fetch(`${shop.sandbox.url}/v1/refunds`, {
    method: 'POST',
    body: new URLSearchParams({ payment_intent: top_up.provider_id!, amount: '2000' }),
    headers: { authorization: 'Bearer sk_test_1' },
  })
  for (let i = 0; i < 2; i++) {
    await settlePayment(house.app, { provider_id: top_up.provider_id! })
    await house.settle()
  }
  const numbers = await house.db.selectFrom('billing_document').select(['kind', 'n']).where('kind', '=', 'receipt').orderBy('n').execute()
  expect(numbers.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  const [note, receipt] = await documentsOf(person)
  expect(note).toMatchObject({
    kind: 'credit_note',
    net_micros: -20_000_000,
    title: expect.stringMatching(/^For RC-\d{4}-\d{4}, paid back to Visa/),
  })
  expect(receipt).toMatchObject({ kind: 'receipt', net_micros: 50_000_000, total_micros: 50_000_000 })
  const [back, bought] = (await person.call(listTransactions)).body.items
  expect([await documentOf(person, back!), await documentOf(person, bought!)]).toEqual([note!.number, receipt!.number])
  const params = { document_id: note!.id }
  const answer = await person.call(ops.exportDocument, { params })
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${note!.number}.pdf"`,
  })
  expect((await other.call(ops.exportDocument, { params })).status).toBe(404)
  const row = await getDocument(house.app.db, person, note!.id)
  const [first, second] = [await buffer(documentFile(row)), await buffer(documentFile(row))]
  expect(first.subarray(0, 5).toString()).toBe('%PDF-')
  expect(first.equals(second)).toBe(true)
  // A long one has more pages.
  const long = { ...row, lines: Array.from({ length: 100 }, (_, i) => ({ words: `Line ${i}`, quantity: '1 MB × $0.35', micros: 350_000 })) }
  expect((await buffer(documentFile(long))).toString('latin1').match(/\/Type \/Page\b[^s]/g)?.length).toBeGreaterThan(3)
  // What was issued is never changed.
  await expect(house.db.updateTable('billing_document').set({ net_micros: 1 }).execute()).rejects.toThrow()
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('of a price list with megabytes of 1,048,576 bytes the line says so and multiplies out', async () => {
  const { house } = shop
  const person = await house.newOwner('binary')
  await openBilling(house, person.account_id)
  await house.db
    .updateTable('billing_account')
    .set({ enabled_at: inMonth(-1, 3) })
    .where('account_id', '=', person.account_id)
    .execute()
  await person.call(ops.setBillingProfile, { body: profile })
  const tariff_id = await putTariff(house, { kb: 1024 })
  await postAll(house, [
    usage(person, inMonth(-1, 5), 1.572864, 2_000_000, -3_000_000, { tariff_version: `${tariff_id}:1` }),
    usage(person, inMonth(-1, 5), 1.5, 2_000_000, -3_000_000),
  ])
  // A rest that is older than what is checked every day keeps the month open no longer than a check.
  const used = inMonth(-1, 5)
  const rest = { bytes: 1000, billed_bytes: 1000, charged_micros: 2000, summed_bytes: 1000, summed_micros: 2000, price_micros: 2_000_000 }
  const rate = { tariff_id, number: 1, from_day: '2026-01-01', zone_id: 'EU1', source: 'payg' as const, mccmnc: '262-01' }
  const of = { account_id: person.account_id, sim_id: 'sim_gone', day: used.toISOString().slice(0, 10), is_late: false, is_open: false }
  await house.db
    .insertInto('charge')
    .values({ ...rest, ...rate, ...of, used_from: used, used_to: used })
    .execute()
  await house.db.insertInto('charge_account').values({ account_id: person.account_id, unsettled_micros: 2000 }).execute()
  house.clock.set(new Date(monthStart(0).getTime() + 73 * 3_600_000))
  await closeMonths(house.app)
  expect(await documentsOf(person)).toEqual([])
  await settleCharges(house.app)
  await closeMonths(house.app)
  const [invoice] = await documentsOf(person)
  expect(await linesOf(person, invoice!.id)).toEqual([
    ['Data, zone EU1', '1.500954 MiB × $2.00 per MiB', 3_002_000],
    ['Data, zone EU1', '1.5 MB × $2.00 per MB', 3_000_000],
    ['Rounding to the cent', null, -2000],
  ])
  const { items } = (await person.call(listTransactions)).body
  expect(items.map(({ kb }) => kb)).toEqual([1024, null, 1024])
})

test('data that went beyond a data pool is a line of each pool, with its name', async () => {
  const { house } = shop
  const person = await house.newOwner('beyond')
  const { account_id } = person
  await openBilling(house, account_id)
  await house.db
    .updateTable('billing_account')
    .set({ enabled_at: inMonth(-1, 3) })
    .where('account_id', '=', account_id)
    .execute()
  await person.call(ops.setBillingProfile, { body: profile })
  const pool_id = await putPool(house, person)
  const { name } = await house.db.selectFrom('data_pool').select('name').where('id', '=', pool_id).executeTakeFirstOrThrow()
  const beyond = (pool: string | null) => usage(person, inMonth(-1, 5), 1, 2_000_000, -2_000_000, { sub_type: 'overage', pool_id: pool })
  await postAll(house, [beyond(pool_id), beyond(pool_id), beyond(null)])
  house.clock.set(new Date(monthStart(0).getTime() + 73 * 3_600_000))
  await closeMonths(house.app)
  const [invoice] = await documentsOf(person)
  expect(await linesOf(person, invoice!.id)).toEqual([
    [`Data beyond data pool ${name}, zone EU1`, '2 MB × $2.00 per MB', 4_000_000],
    ['Data beyond a pool, zone EU1', '1 MB × $2.00 per MB', 2_000_000],
  ])
})
