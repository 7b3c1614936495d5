import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { CostGrouping, CostShare, CostSummary, Month } from './cost.ts'
import { PackageCosts } from './package-cost.ts'
import { PendingCharge } from './pending-charge.ts'
import { TransactionUsage } from './transaction-usage.ts'

const Asked = z.object({ /** This one where none is given. */ month: z.optional(Month) })

/** A member limited by tags sees what their assets cost. Amounts are before tax. Credits granted and tax on payments are told to who may see the ledger of the whole account. Packages of data pools are the account's own: who is limited by tags does not see them. */
export const getCostSummary = operation({
  name: 'billing.getCostSummary',
  method: 'GET',
  path: '/usage/cost-summary',
  summary: 'What a month costs and what that is made of, with the months before',
  access: 'usage.view',
  query: Asked,
  reply: CostSummary,
})

/** The 100 that cost most. What has several tags counts for each of them. */
export const listCostShares = operation({
  name: 'billing.listCostShares',
  method: 'GET',
  path: '/usage/cost-summary/shares',
  summary: 'What a month costs by country, zone, tag, network group or asset',
  access: 'usage.view',
  query: z.extend(Asked, { by: z._default(CostGrouping, 'country') }),
  reply: z.object({ items: z.array(CostShare) }),
})

/** Of each package that can be bought and that could have held the SIMs. It is of the whole account: who is limited by tags is shown none. */
export const getPackageCosts = operation({
  name: 'billing.getPackageCosts',
  method: 'GET',
  path: '/usage/cost-summary/packages',
  summary: 'What the data of a month, the last whole one where none is given, would have cost on other packages',
  access: 'usage.view',
  query: Asked,
  reply: PackageCosts,
})

export const getTransactionUsage = operation({
  name: 'billing.getTransactionUsage',
  method: 'GET',
  path: '/billing/transactions/{transaction_id}/usage',
  summary: 'From which records, at which price and by which rounding a charge of usage was computed',
  access: 'billing.view',
  reply: TransactionUsage,
  problems: [notFound],
})

/** Who is limited to tags sees those of assets that they see. */
export const listPendingCharges = operation({
  name: 'billing.listPendingCharges',
  method: 'GET',
  path: '/billing/pending',
  summary: 'What was used and is not in the ledger yet, the most first',
  access: 'billing.view',
  query: z.extend(PageQuery, { asset_id: z.optional(z.string().check(z.maxLength(64))) }),
  reply: page(PendingCharge),
})

export const getPendingCharge = operation({
  name: 'billing.getPendingCharge',
  method: 'GET',
  path: '/billing/pending/{pending_id}',
  summary: 'What was used and is not in the ledger yet, and from what it is computed',
  access: 'billing.view',
  reply: z.object({ charge: PendingCharge, usage: TransactionUsage }),
  problems: [notFound],
})
