import * as z from 'zod/mini'
import { BillingCurrency, Currency, Micros } from '../billing/money.ts'
import { Assignment, Tariff, TariffTerms, TariffVersion, ZonePrice } from '../billing/tariff.ts'
import {
  assignmentInPast,
  otherCurrency,
  tariffNameTaken,
  tariffNotYetValid,
  versionInPast,
  versionNeeded,
  versionValid,
} from '../billing/tariff-problems.ts'
import { Name } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { ownAccount, staffMayMore } from './problems.ts'
import { Reason } from './reason.ts'

const TariffWithVersions = z.extend(Tariff, { versions: z.array(TariffVersion) })
export type TariffWithVersions = z.output<typeof TariffWithVersions>

/** All of them: there are some dozens. */
export const listTariffs = operation({
  name: 'backoffice.listTariffs',
  method: 'GET',
  path: '/backoffice/tariffs',
  summary: 'The price lists that accounts pay by',
  access: 'manage_billing',
  reply: z.object({ items: z.array(Tariff) }),
})

/** With its versions, newest first. */
export const getTariff = operation({
  name: 'backoffice.getTariff',
  method: 'GET',
  path: '/backoffice/tariffs/{tariff_id}',
  summary: 'A price list with all its versions',
  access: 'manage_billing',
  reply: TariffWithVersions,
  problems: [notFound],
})

/** What a version would have made of a month that was charged already. Amounts are before tax. */
export const TariffEffect = z.object({
  /** The last whole month in UTC, by its first day. */
  month: z.iso.date(),
  currency: Currency,
  /** That pay by this price list once the version is valid. */
  accounts: z.int(),
  /** Data and SIM fees of these accounts in the month, by whatever they paid by then. */
  charged_micros: Micros,
  /** The same by the version, with the prices agreed with each account: bytes as they were billed then. */
  would_micros: Micros,
  /** The hundred for whom most would change. */
  items: z.array(z.object({ email: z.string(), team_name: z.string(), charged_micros: Micros, would_micros: Micros })),
})
export type TariffEffect = z.output<typeof TariffEffect>

export const getTariffEffect = operation({
  name: 'backoffice.getTariffEffect',
  method: 'GET',
  path: '/backoffice/tariffs/{tariff_id}/effect',
  summary: 'What the last whole month would have cost the accounts of a price list by one of its versions',
  access: 'manage_billing',
  query: z.object({ number: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)) }),
  reply: TariffEffect,
  problems: [notFound],
})

/** The same of a version that is typed: it changes nothing. Each time the whole month is worked out. */
export const previewTariffVersion = operation({
  name: 'backoffice.previewTariffVersion',
  method: 'POST',
  path: '/backoffice/tariffs/{tariff_id}/preview',
  summary: 'What the last whole month would have cost the accounts of a price list by a version that is not planned yet',
  access: 'manage_billing',
  body: TariffTerms,
  reply: TariffEffect,
  problems: [notFound, versionInPast],
})

export const createTariff = operation({
  name: 'backoffice.createTariff',
  method: 'POST',
  path: '/backoffice/tariffs',
  summary: 'Create a price list with its first version',
  access: 'manage_billing',
  body: z.object({ name: Name, currency: BillingCurrency, is_standard: z._default(z.boolean(), false), version: TariffTerms }),
  reply: TariffWithVersions,
  problems: [tariffNameTaken, versionInPast],
})

/** It is valid from its day on; usage before that day stays with the version before, also when it arrives later. */
export const addTariffVersion = operation({
  name: 'backoffice.addTariffVersion',
  method: 'POST',
  path: '/backoffice/tariffs/{tariff_id}/versions',
  summary: 'Plan a new version of a price list',
  access: 'manage_billing',
  body: TariffTerms,
  reply: TariffWithVersions,
  problems: [notFound, versionInPast],
})

export const withdrawTariffVersion = operation({
  name: 'backoffice.withdrawTariffVersion',
  method: 'POST',
  path: '/backoffice/tariffs/{tariff_id}/withdraw',
  summary: 'Withdraw the planned version of a price list, which is not valid yet',
  access: 'manage_billing',
  body: z.object({ number: z.int().check(z.minimum(1), z.maximum(1_000_000)) }),
  reply: TariffWithVersions,
  problems: [notFound, versionValid, versionNeeded],
})

/** Newest first. */
export const listAssignments = operation({
  name: 'backoffice.listAssignments',
  method: 'GET',
  path: '/backoffice/accounts/{email}/tariffs',
  summary: 'The price lists that an account paid by, and is to pay by',
  access: 'manage_billing',
  reply: z.object({ items: z.array(Assignment) }),
  problems: [notFound],
})

/** What it had from that day on before is replaced. Without a tariff nothing is charged from that day on. */
export const assignTariff = operation({
  name: 'backoffice.assignTariff',
  method: 'POST',
  path: '/backoffice/accounts/{email}/tariffs',
  summary: 'Have an account pay by a price list from a day on',
  access: 'manage_billing',
  body: z.object({
    tariff_id: z.nullable(z.string().check(z.minLength(1, 'Choose a price list'), z.maxLength(64))),
    from_day: z.iso.date('Enter a day, like 2026-12-01'),
    own_prices: z._default(z.array(ZonePrice).check(z.maxLength(200)), []),
    reason: Reason,
  }),
  reply: z.object({ items: z.array(Assignment) }),
  problems: [notFound, tariffNotYetValid, assignmentInPast, otherCurrency, ownAccount, staffMayMore],
})
