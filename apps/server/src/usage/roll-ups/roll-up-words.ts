import type { RollUpProof } from './rebuild-roll-ups.ts'

/** `2026-11-01 05:00 UTC`. */
const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** What a rebuild of these days did, for who ran the command. */
export function rebuiltInWords(since: Date | null, from: string, to: string): string {
  if (!since) return `Nothing is changed: of no hour from ${from} until before ${to} are the records all kept.`
  const counted = `The hours from ${minute(since)} until before ${to} are counted anew, and days and months from them.`
  return since > new Date(from) ? `${counted} Earlier hours stay as they are: their records are no longer all kept.` : counted
}

/** What a proof of these days found, and whether it is as it should be. */
export function provedInWords(
  { since, wrong_hours, wrong_days, wrong_months, wrong_account_hours }: RollUpProof,
  from: string,
  to: string
) {
  const ok = wrong_hours + wrong_days + wrong_months + wrong_account_hours === 0
  if (!ok) {
    const wrong = `${wrong_hours} hours of SIMs, ${wrong_days} days of SIMs, ${wrong_months} months of SIMs, ${wrong_account_hours} hours of accounts`
    return { ok, words: `Not the sums they should be: ${wrong}.` }
  }
  const records = since
    ? `the hours from ${minute(since)} on are the sums of their records and corrections`
    : 'of no hour are the records all kept'
  return { ok, words: `From ${from} until before ${to} days, months and accounts are the sums of the hours; ${records}.` }
}
