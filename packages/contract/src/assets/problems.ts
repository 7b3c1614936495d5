import { problem } from '../kernel/problem.ts'

export const simActionNotPossible = problem({
  code: 'sim_wrong_state',
  status: 409,
  title: 'The SIM is not in a state that allows this',
})
export const assetHasNoSim = problem({
  code: 'asset_has_no_sim',
  status: 409,
  title: 'This asset has no SIM',
})
export const tagUnknown = problem({
  code: 'tag_unknown',
  status: 400,
  title: 'There is no such tag',
})

export const bulkTooMany = problem({
  code: 'bulk_too_many',
  status: 409,
  title: 'These are more assets than one change takes',
})
export const bulkSelectionChanged = problem({
  code: 'bulk_selection_changed',
  status: 409,
  title: 'Another number of assets matches by now',
})

/** The answers to a registration that cannot go on (domain §1.3). Who owns a taken one is never told. */
export const assetUnknown = problem({
  code: 'asset_unknown',
  status: 404,
  title: 'We do not know this serial number or ICCID',
})
export const assetAlreadyYours = problem({
  code: 'asset_already_yours',
  status: 409,
  title: 'This asset is already in your account',
})
export const assetTaken = problem({
  code: 'asset_taken',
  status: 409,
  title: 'This asset cannot be registered. It belongs to another account',
})
export const assetReserved = problem({
  code: 'asset_reserved',
  status: 409,
  title: 'This asset cannot be registered yet. Ask your supplier to release it',
})
