import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { noTariff } from './tariff-problems.ts'
import { NetworkPrice, PriceList } from './tariff.ts'

const PriceQuery = z.extend(PageQuery, {
  /** In the operator, its MCC-MNC, and the zone; a country by its code. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, 'Two letters'))),
  zone: z.optional(z.string().check(z.maxLength(20))),
  rat: z.optional(z.string().check(z.maxLength(20))),
})
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
  query: PriceQuery,
  reply: page(NetworkPrice),
  problems: [noTariff],
})
