import { notFound, problem } from '../kernel/problem.ts'

export const assetNotFound = problem({ ...notFound, error: 'AssetNotFound' })

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
export const simHasNoLimit = problem({
  code: 'sim_has_no_limit',
  status: 409,
  title: 'This SIM has no data limit',
})
export const raiseTooLow = problem({
  code: 'raise_too_low',
  status: 409,
  title: 'A raise allows more than the limit does now',
})
export const deviceNotSeen = problem({
  code: 'device_not_seen',
  status: 409,
  title: 'The network has not reported a device for this SIM yet',
})
export const tooManyDevices = problem({
  code: 'too_many_devices',
  status: 409,
  title: 'A SIM is accepted in at most 10 devices',
})
export const swapNeedsSim = problem({
  code: 'swap_needs_sim',
  status: 409,
  title: 'This piece of stock has no SIM',
})
export const releaseInUse = problem({
  code: 'release_in_use',
  status: 409,
  title: 'The asset has an open session. Deactivate its SIM first',
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
export const bulkNotUndoable = problem({
  code: 'bulk_not_undoable',
  status: 409,
  title: 'This change cannot be undone',
})
export const bulkSelectionChanged = problem({
  code: 'bulk_selection_changed',
  status: 409,
  title: 'The number of matching assets has changed',
})

/** The answers to a registration that cannot go on (domain §1.3). Who owns a taken one is never said. */
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

export const viewNameTaken = problem({ code: 'view_name_taken', status: 409, title: 'There is a view of this name already' })
export const viewIsShared = problem({
  code: 'view_is_shared',
  status: 403,
  title: 'Views of the team are made and changed by whoever may edit assets',
})
export const viewIsWatched = problem({
  code: 'view_is_watched',
  status: 409,
  title: 'A rule watches this view for the team: delete the rule first, under Notifications',
})
export const tooManyViews = problem({ code: 'too_many_views', status: 409, title: 'An account has at most 100 saved views' })
