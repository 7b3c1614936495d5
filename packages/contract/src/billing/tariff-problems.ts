import { problem } from '../kernel/problem.ts'

export const tariffNameTaken = problem({ code: 'tariff_name_taken', status: 409, title: 'There is a price list with this name' })
export const versionInPast = problem({
  code: 'tariff_version_in_past',
  status: 400,
  title:
    'A version begins after today and after the version before it, the first one today at the earliest: earlier usage is priced already',
})
export const versionValid = problem({
  code: 'tariff_version_valid',
  status: 409,
  title: 'This version is valid already, so it stays. Make a new version in its place',
})
export const versionNeeded = problem({
  code: 'tariff_version_needed',
  status: 409,
  title:
    'Accounts are to pay by this price list before another version of it is valid: give them another list first, or plan a version that is',
})
export const tariffNotYetValid = problem({
  code: 'tariff_not_yet_valid',
  status: 409,
  title: 'On that day no version of this price list is valid',
})
export const assignmentInPast = problem({
  code: 'assignment_in_past',
  status: 400,
  title: 'The first price list of an account begins today at the earliest, another one tomorrow: earlier usage is priced already',
})
export const otherCurrency = problem({
  code: 'tariff_currency',
  status: 409,
  title: 'An account has one currency, and this price list has another',
})
export const noTariff = problem({ code: 'no_tariff', status: 404, title: 'No price list is valid for this account' })
