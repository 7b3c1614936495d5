import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { Ended, endedWords } from './ended-access.ts'

export const accountRegistered = event({
  name: 'auth.account_registered',
  refreshes: ['auth', 'account', 'teams'],
  detail: z.object({ email: z.string(), team_name: z.string() }),
  sentence: 'Created the account {team_name}',
})

export const identityLinked = event({
  name: 'auth.identity_linked',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ provider: z.string(), email: z.string(), password_removed: z.optional(z.boolean()) }),
  sentence: ({ password_removed }) =>
    password_removed
      ? 'Linked sign-in with {provider} as {email}, and removed a password that was never confirmed by e-mail'
      : 'Linked sign-in with {provider} as {email}',
})
/** Somebody opened an account with an address before whoever it belongs to came by a provider. */
export const earlierAccessEnded = event({
  name: 'auth.earlier_access_ended',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  /** `provider`: empty where it was a mailed link; a release before reads these lines too, and knows no null here. */
  detail: z.extend(Ended, { provider: z.string(), email: z.string() }),
  sentence: (detail) =>
    `${detail.provider === '' ? 'Set a new password by a mailed link' : 'Signed in through {provider}'} as {email}. All earlier access to the account was ended: ${endedWords(detail)}`,
})

export const emailProved = event({
  name: 'auth.email_proved',
  refreshes: ['auth', 'account', 'teams'],
  detail: z.object({ email: z.string() }),
  sentence: 'Confirmed the e-mail address {email} by a mailed link',
})
export const identityUnlinked = event({
  name: 'auth.identity_unlinked',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ provider: z.string(), email: z.string() }),
  sentence: 'Unlinked sign-in with {provider} as {email}',
})

const nothing = z.object({})
const passkey = z.object({ name: z.string() })

export const passwordChanged = event({
  name: 'auth.password_changed',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ by_mail: z.boolean() }),
  sentence: ({ by_mail }) => (by_mail ? 'Set a new password by a mailed link' : 'Changed the password'),
})
export const emailChangeAsked = event({
  name: 'auth.email_change_asked',
  refreshes: ['auth', 'account', 'teams'],
  detail: z.object({ new_email: z.string() }),
  sentence: 'Asked to change the e-mail to {new_email}',
})
export const emailChanged = event({
  name: 'auth.email_changed',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ old_email: z.string(), new_email: z.string() }),
  sentence: 'Changed the e-mail from {old_email} to {new_email}',
})
export const nameChanged = event({
  name: 'auth.name_changed',
  refreshes: ['auth', 'account', 'teams'],
  detail: z.object({ old_name: z.nullable(z.string()), new_name: z.nullable(z.string()) }),
  sentence: ({ old_name, new_name }) => {
    if (new_name === null) return 'Removed their name {old_name}'
    return old_name === null ? 'Set their name to {new_name}' : 'Changed their name from {old_name} to {new_name}'
  },
})
export const secondFactorOn = event({
  name: 'auth.second_factor_on',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: nothing,
  sentence: 'Switched on two-factor authentication',
})
export const secondFactorOff = event({
  name: 'auth.second_factor_off',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: nothing,
  sentence: 'Switched off two-factor authentication',
})
export const recoveryCodesRenewed = event({
  name: 'auth.recovery_codes_renewed',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: nothing,
  sentence: 'Created new recovery codes',
})
export const recoveryCodeUsed = event({
  name: 'auth.recovery_code_used',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ left: z.int() }),
  sentence: 'Signed in with a recovery code; {left} are left',
})
export const passkeyAdded = event({
  name: 'auth.passkey_added',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: passkey,
  sentence: 'Added the passkey {name}',
})
export const passkeyRemoved = event({
  name: 'auth.passkey_removed',
  refreshes: ['auth', 'account', 'teams'],
  effects: ['notifications.update_alerts'],
  detail: passkey,
  sentence: 'Removed the passkey {name}',
})
export const sessionEnded = event({
  name: 'auth.session_ended',
  refreshes: ['auth', 'account', 'teams'],
  detail: z.object({ device: z.string() }),
  sentence: 'Signed out {device}',
})
export const sessionsEnded = event({
  name: 'auth.sessions_ended',
  refreshes: ['auth', 'account', 'teams'],
  detail: z.object({ count: z.int() }),
  sentence: 'Signed out everywhere else: {count} sessions',
})
export const accountChanged = event({
  name: 'auth.account_changed',
  refreshes: ['auth', 'account', 'teams'],
  detail: z.object({ old_name: z.string(), new_name: z.string(), timezone: z.string() }),
  sentence: ({ old_name, new_name }) =>
    old_name === new_name ? 'Set the time zone to {timezone}' : 'Renamed the team {old_name} to {new_name}',
})

export const accountClosed = event({
  name: 'auth.account_closed',
  refreshes: ['auth', 'account', 'teams', 'developers', 'assets'],
  effects: ['backoffice.hold_account', 'notifications.update_alerts'],
  detail: z.object({ members: z.int(), api_keys: z.int(), webhooks: z.int(), erase_at: z.string() }),
  sentence: ({ erase_at }) => `Closed the account. It can be reopened until ${erase_at.slice(0, 10)}`,
})
export const accountReopened = event({
  name: 'auth.account_reopened',
  refreshes: ['auth', 'account', 'teams', 'assets'],
  effects: ['backoffice.hold_account', 'notifications.update_alerts'],
  detail: z.object({}),
  sentence: 'Reopened the account',
})
export const accountErased = event({
  name: 'auth.account_erased',
  refreshes: ['account'],
  detail: z.object({}),
  sentence: 'Removed what was personal of the account',
})
export const accountExportAsked = event({
  name: 'auth.export_asked',
  refreshes: ['account'],
  effects: ['notifications.update_alerts'],
  detail: z.object({}),
  sentence: 'Asked for an export of the whole account',
})
export const accountExported = event({
  name: 'auth.export_made',
  refreshes: ['account'],
  detail: z.object({ rows: z.int() }),
  sentence: 'Made an export of the whole account',
})
export const accountExportFailed = event({
  name: 'auth.export_failed',
  refreshes: ['account'],
  detail: z.object({}),
  sentence: 'An export of the whole account could not be made',
})
