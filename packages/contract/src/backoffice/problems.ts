import { problem } from '../kernel/problem.ts'

export const notStaff = problem({
  code: 'not_staff',
  status: 403,
  title: 'Only staff can enter the backoffice',
})

export const staffFactorMissing = problem({
  code: 'staff_second_factor',
  status: 409,
  title: 'Staff need a second factor to enter the backoffice. Set up an authenticator app or a passkey on your profile',
})

export const networksChanged = problem({
  code: 'networks_changed',
  status: 409,
  title: 'Somebody has changed networks since you compared. Preview again before you import',
})

export const actingOnTeam = problem({
  code: 'acting_on_team',
  status: 403,
  title: 'You are acting on a team’s account. Go back to your own to enter the backoffice',
})
export const personUnknown = problem({
  code: 'person_unknown',
  status: 404,
  title: 'Nobody is registered with this e-mail',
})
export const gatewayUnknown = problem({
  code: 'gateway_unknown',
  status: 404,
  title: 'There is no gateway with this name or address',
})
export const gatewayAmbiguous = problem({
  code: 'gateway_ambiguous',
  status: 409,
  title: 'Several gateways have this name. Say which by its address',
})
export const gatewayAddressTaken = problem({
  code: 'gateway_address_taken',
  status: 409,
  title: 'A gateway with this address already exists',
})
export const gatewayLastAddress = problem({
  code: 'gateway_last_address',
  status: 409,
  title: 'A gateway has at least one address. Add the other one first, or switch the gateway off',
})
export const gatewayOff = problem({
  code: 'gateway_off',
  status: 409,
  title: 'A gateway that is switched off cannot be joined. Switch it on first',
})
export const gatewayInUse = problem({
  code: 'gateway_in_use',
  status: 409,
  title: 'This gateway has reported sessions',
})

export const accountSuspendedAlready = problem({
  code: 'account_suspended_already',
  status: 409,
  title: 'The account is suspended already',
})
export const staffPermissionNotYours = problem({
  code: 'staff_permission_not_yours',
  status: 409,
  title: 'You can grant only permissions that you have yourself',
})
export const staffMayMore = problem({
  code: 'staff_may_more',
  status: 403,
  title: 'This person is staff and has permissions that you do not have',
})
export const lastStaffManager = problem({
  code: 'last_staff_manager',
  status: 409,
  title: 'Nobody could manage staff any more. Grant that permission to somebody else first',
})
export const accountNotSuspended = problem({
  code: 'account_not_suspended',
  status: 409,
  title: 'The account is not suspended',
})
export const ownAccount = problem({
  code: 'staff_own_account',
  status: 409,
  title: 'This is your own account: another member of staff has to do this',
})
export const simHeldAlready = problem({
  code: 'sim_held_already',
  status: 409,
  title: 'Staff hold this SIM already',
})
export const simNotHeld = problem({
  code: 'sim_not_held',
  status: 409,
  title: 'Staff do not hold this SIM',
})
export const viewNeeded = problem({
  code: 'not_viewing',
  status: 409,
  title: 'You are not looking at the account of a customer',
})
export const stockNotFree = problem({
  code: 'stock_not_free',
  status: 409,
  title: 'Some of it is already registered to an account',
})
export const assetInUse = problem({
  code: 'asset_in_use',
  status: 409,
  title: 'The SIM has an open data session. Hold the SIM first, and wait until the session has ended',
})
export const sameAccount = problem({
  code: 'same_account',
  status: 409,
  title: 'It belongs to this account already',
})
export const quarantineResolved = problem({
  code: 'quarantine_resolved',
  status: 409,
  title: 'Somebody has resolved this already',
})
export const quarantineNotCountable = problem({
  code: 'quarantine_not_countable',
  status: 409,
  title: 'What the gateway sent cannot be counted',
})
export const sessionOfAnother = problem({
  code: 'session_of_another',
  status: 409,
  title: 'This session has been counted for another SIM meanwhile',
})
export const simUnknown = problem({
  code: 'sim_unknown',
  status: 400,
  title: 'No registered SIM has this number',
})
export const imsiTaken = problem({
  code: 'imsi_taken',
  status: 409,
  title: 'Another SIM has this IMSI',
})
export const rateInPast = problem({
  code: 'rate_in_past',
  status: 400,
  title: 'A rate must begin today or later, because earlier usage is already priced',
})

export const nothingCounted = problem({
  code: 'nothing_counted',
  status: 409,
  title: 'No usage was ever counted for this SIM, so there is nothing to correct',
})
export const dayNotCorrectable = problem({
  code: 'day_not_correctable',
  status: 400,
  title: 'This day cannot be corrected',
})
export const usageBelowZero = problem({
  code: 'usage_below_zero',
  status: 409,
  title: 'You cannot subtract more than was counted',
})
export const correctionUndone = problem({
  code: 'correction_undone',
  status: 409,
  title: 'This correction is undone already',
})
export const feedFolderTaken = problem({
  code: 'feed_folder_taken',
  status: 409,
  title: 'Another feed has this folder',
})
export const feedOff = problem({
  code: 'feed_off',
  status: 409,
  title: 'This feed is switched off',
})
export const deviceCutAlready = problem({
  code: 'device_cut_already',
  status: 409,
  title: 'The device is cut off already, until it gets new credentials',
})
export const advisoriesUnreadable = problem({
  code: 'advisories_unreadable',
  status: 400,
  title: 'There is no advisory in OSV format in this file: what was loaded before stays',
})
