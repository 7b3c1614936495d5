import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'
import { Megabyte, PriceAction } from './cost-limits.ts'

export const costLimitsChanged = event({
  name: 'billing.cost_limits_changed',
  refreshes: ['billing'],
  detail: z.object({
    price: z.nullable(z.string()),
    price_action: PriceAction,
    sim_day: z.nullable(z.string()),
    megabyte: z.optional(Megabyte),
  }),
  sentence: ({ price, price_action, sim_day, megabyte = 'MB' }) => {
    const limits = [
      price && `${price_action === 'refuse' ? 'no data' : 'a warning of data'} above {price} per ${megabyte}`,
      sim_day && 'at most {sim_day} for the data of a SIM on a day',
    ].filter(Boolean)
    return limits.length > 0 ? `Set cost limits: ${limits.join(', and ')}` : 'Switched the cost limits off'
  },
})

/** Once for a SIM and a zone in a month. */
export const expensiveDataUsed = event({
  name: 'billing.expensive_data_used',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({
    asset_id: z.string(),
    asset_name: z.string(),
    sim_id: z.string(),
    iccid: z.string(),
    zone: z.string(),
    price: z.string(),
    limit: z.string(),
    /** Which one the price list counts; older events do not say. */
    megabyte: z.optional(Megabyte),
  }),
  sentence: ({ megabyte = 'MB' }) =>
    `The SIM of {asset_name} uses data at {price} per ${megabyte} in zone {zone}: the account allows {limit}`,
})
