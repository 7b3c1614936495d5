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
  title: 'This tag does not exist',
})

export const bulkTooMany = problem({
  code: 'bulk_too_many',
  status: 409,
  title: 'One change cannot take this many assets',
})
export const bulkSelectionChanged = problem({
  code: 'bulk_selection_changed',
  status: 409,
  title: 'The number of matching assets has changed',
})

/** The answers to a registration that cannot go on (domain §1.3). Who owns a taken one is never told. */
export const assetUnknown = problem({
  code: 'asset_unknown',
  status: 404,
  title: 'This serial number or ICCID is not known',
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
