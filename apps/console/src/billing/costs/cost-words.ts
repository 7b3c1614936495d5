import { formatMoney, type Currency, type Micros } from '@masthead/contract/billing/money'

/** To the cent: "$12.40", "−$0.26". */
export const money = (micros: number, currency: string): string =>
  formatMoney(micros as Micros, currency as Currency, { decimals: 2 }).replace('-', '−')

/** "November 2026", or "Nov". */
export const monthName = (month: string, length: 'long' | 'short' = 'long'): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: length,
    timeZone: 'UTC',
    ...(length === 'long' && { year: 'numeric' }),
  })

/** How much of one amount another is: "86 % of it". */
export const changeOf = (now: number, before: number): string => `${Math.round((now / before) * 100).toLocaleString('en')} % of it`
