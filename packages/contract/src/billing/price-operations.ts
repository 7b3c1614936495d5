import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { AskedAmount } from './ledger.ts'
import { noTariff } from './tariff-problems.ts'
import { NetworkPrice, PriceList } from './tariff.ts'

const PlanFilter = z.object({
  /** In the operator, its MCC-MNC, and the zone; a country by its code. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, 'Two letters'))),
  zone: z.optional(z.string().check(z.maxLength(20))),
  rat: z.optional(z.string().check(z.maxLength(20))),
  /** At most so much for a megabyte. */
  most_micros: z.optional(AskedAmount),
})
const PriceFilter = z.extend(PlanFilter, {
  /** Those alone that a network group with SIMs allows. */
  allowed: z.optional(z.literal('true')),
})
export type PriceFilter = z.output<typeof PriceFilter>
const PriceQuery = z.extend(PageQuery, PriceFilter.shape)
export type PriceQuery = z.output<typeof PriceQuery>

export const getPriceList = operation({
  name: 'billing.getPriceList',
  method: 'GET',
  path: '/billing/price-list',
  summary: 'What the account pays for data and SIMs today, and from when on that changes',
  access: 'billing.view',
  reply: PriceList,
  problems: [noTariff],
})

export const listPrices = operation({
  name: 'billing.listPrices',
  method: 'GET',
  path: '/billing/prices',
  summary: 'What data costs the account in each network',
  access: 'billing.view',
  query: PriceQuery,
  reply: page(NetworkPrice),
  problems: [noTariff],
})

export const exportPrices = operation({
  name: 'billing.exportPrices',
  method: 'GET',
  path: '/billing/prices.csv',
  summary: 'What data costs the account in each network, as CSV',
  access: 'billing.view',
  query: PriceFilter,
  gives: 'csv',
  problems: [noTariff],
})

export const getPlan = operation({
  name: 'billing.getPlan',
  method: 'GET',
  path: '/billing/plan',
  summary: 'The general price list',
  access: 'signed_in',
  reply: PriceList,
  problems: [noTariff],
})

export const listPlanPrices = operation({
  name: 'billing.listPlanPrices',
  method: 'GET',
  path: '/billing/plan/prices',
  summary: 'What data costs in each network by the general price list',
  access: 'signed_in',
  query: z.extend(PageQuery, PlanFilter.shape),
  reply: page(NetworkPrice),
  problems: [noTariff],
})

export const exportPlanPrices = operation({
  name: 'billing.exportPlanPrices',
  method: 'GET',
  path: '/billing/plan/prices.csv',
  summary: 'What data costs in each network by the general price list, as CSV',
  access: 'signed_in',
  query: PlanFilter,
  gives: 'csv',
  problems: [noTariff],
})
