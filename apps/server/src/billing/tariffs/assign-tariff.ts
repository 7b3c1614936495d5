import { tariffAssigned, tariffEnded } from '@masthead/contract/billing/events'
import type { assignTariff as assignOp } from '@masthead/contract/backoffice/tariff-operations'
import { isBillingCurrency, type Currency } from '@masthead/contract/billing/money'
import type { Assignment } from '@masthead/contract/billing/tariff'
import { assignmentInPast, otherCurrency, tariffNotYetValid } from '@masthead/contract/billing/tariff-problems'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { invalidRequest, notFound, Problem } from '@masthead/contract/kernel/problem'
import { dayOf, formatDay } from '@masthead/contract/kernel/time'
import { getAccountOf, needRightsOnThings, recordStaff } from '../../backoffice/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { findBillingAccount, switchOn } from '../ledger/index.ts'
import { listAssignments } from './tariff-queries.ts'

type Wanted = Parsed<typeof assignOp>['body']

/**
 * Has an account pay by a tariff from a day on, or by none. Throws not_found, tariff_not_yet_valid, assignment_in_past, tariff_currency, invalid_request,
 * staff_own_account, staff_may_more.
 */
export async function assignTariff(tx: Tx, actor: Actor, email: string, wanted: Wanted): Promise<Assignment[]> {
  const { tariff_id, from_day, reason } = wanted
  const account = await getAccountOf(tx, email)
  await needRightsOnThings(tx, actor, account)
  // One at a time on an account.
  await tx.selectFrom('account').select('id').where('id', '=', account.id).forNoKeyUpdate().execute()
  const before = await listAssignments(tx, account.id)
  const today = dayOf(actor.at)
  // What of today was used is priced already, by the one that is valid.
  const isPricing = (before.find((each) => each.from_day <= today)?.tariff ?? null) !== null
  if (isPricing ? from_day <= today : from_day < today) {
    throw new Problem(assignmentInPast, undefined, { fields: { from_day: assignmentInPast.title } })
  }
  const tariff = tariff_id === null ? null : await needTariff(tx, tariff_id, wanted)
  if (tariff) await needBilling(tx, actor, account.id, tariff)
  const own_prices = Object.fromEntries(wanted.own_prices.map(({ zone_id, price_micros }) => [zone_id, price_micros]))
  await tx.deleteFrom('account_tariff').where('account_id', '=', account.id).where('from_day', '>=', from_day).execute()
  await tx
    .insertInto('account_tariff')
    .values({
      account_id: account.id,
      from_day,
      tariff_id,
      own_prices: JSON.stringify(own_prices),
      assigned_at: actor.at,
      assigned_by: actor.email,
    })
    .execute()
  const line = {
    account,
    target: email,
    reason,
    before: { assignments: before.slice(0, 3) },
    after: { tariff: tariff?.name ?? null, from_day, own_prices },
  }
  const detail = { from_day: formatDay(from_day), reason }
  if (tariff) await recordStaff(tx, actor, tariffAssigned, { tariff_id: tariff.id, tariff_name: tariff.name, ...detail }, line)
  else await recordStaff(tx, actor, tariffEnded, detail, line)
  await addJob(tx, 'billing.announce_prices', {})
  return listAssignments(tx, account.id)
}

/** Billing is on for the account from now on, in the currency of its tariff. Throws tariff_currency. */
async function needBilling(tx: Tx, { email: by, at }: Actor, account_id: string, tariff: { name: string; currency: string }) {
  const currency = tariff.currency as Currency
  // Of a list that is older than this rule.
  if (!isBillingCurrency(currency)) throw new Problem(otherCurrency, `${tariff.name} is in ${currency}, which no account can be billed in`)
  await switchOn(tx, { account_id, currency, by, at })
  const billing = await findBillingAccount(tx, account_id)
  if (billing && billing.currency !== currency) {
    throw new Problem(otherCurrency, `The account pays in ${billing.currency}, and ${tariff.name} is in ${currency}`)
  }
}

/** Throws not_found, tariff_not_yet_valid, invalid_request. */
async function needTariff(tx: Tx, id: string, { from_day, own_prices }: Wanted) {
  // Locked against whoever withdraws the version that is valid then.
  const tariff = await tx.selectFrom('tariff').select(['id', 'name', 'currency']).where('id', '=', id).forShare().executeTakeFirst()
  if (!tariff) throw new Problem(notFound, 'There is no such price list', { fields: { tariff_id: 'Choose a price list' } })
  const valid = await tx
    .selectFrom('tariff_version')
    .select('number')
    .where('tariff_id', '=', id)
    .where('effective_from', '<=', from_day)
    .orderBy('effective_from', 'desc')
    .executeTakeFirst()
  if (!valid) throw new Problem(tariffNotYetValid, undefined, { fields: { from_day: tariffNotYetValid.title } })
  const zones = await tx.selectFrom('tariff_zone').select('id').where('tariff_id', '=', id).where('number', '=', valid.number).execute()
  const unknown = own_prices.find(({ zone_id }) => !zones.some((zone) => zone.id === zone_id))
  if (unknown) {
    const words = `${tariff.name} has no zone ${unknown.zone_id}`
    throw new Problem(invalidRequest, words, { fields: { own_prices: words } })
  }
  return tariff
}
