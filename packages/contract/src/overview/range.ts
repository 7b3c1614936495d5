import * as z from 'zod/mini'

export const overviewRanges = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
  '12m': '12 months',
  custom: 'Days of one’s own',
} as const
export type OverviewRange = keyof typeof overviewRanges
export const OverviewRange = z.enum(Object.keys(overviewRanges) as [OverviewRange, ...OverviewRange[]])
