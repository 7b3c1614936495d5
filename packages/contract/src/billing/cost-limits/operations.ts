import * as z from 'zod/mini'
import { operation } from '../../kernel/operation.ts'
import { billingOff } from '../ledger-problems.ts'
import { BalanceRules } from '../refill/refill.ts'
import { mostTopUp } from '../top-up.ts'
import { PriceAction } from './cost-limits.ts'

const amount = z.int({ error: 'Enter an amount' })
const most = z.maximum(mostTopUp * 10, 'At most 100,000.00')

export const setCostLimits = operation({
  name: 'billing.setCostLimits',
  method: 'PUT',
  path: '/billing/cost-limits',
  summary: 'Set what data may cost: the price of a megabyte, and all data of a SIM on a day',
  access: 'billing.edit',
  body: z.object({
    most_price_micros: z.nullable(amount.check(z.minimum(1, 'Above zero'), most)),
    price_action: PriceAction,
    sim_day_micros: z.nullable(
      amount.check(
        z.minimum(10_000, 'At least 0.01'),
        most,
        z.refine((given) => given % 10_000 === 0, 'Use at most two decimals')
      )
    ),
  }),
  reply: BalanceRules,
  problems: [billingOff],
})
