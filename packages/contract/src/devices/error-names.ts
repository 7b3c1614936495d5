import type { FieldErrors } from '../kernel/operation.ts'

// Programs for these devices test refusals by these names (domain §6.8). Other refusals have their names where they are declared, in problems.ts.

const ports = { 'ports.host': 'ErrorNodePortIsNotCorrectRange' }
export const deployErrors: FieldErrors = { missing: { image: 'ErrorNoImage', name: 'ErrorNoName' }, wrong: ports }
/** A change need not say an image, and no name. */
export const updateErrors: FieldErrors = { wrong: ports }
export const addProfileErrors: FieldErrors = { missing: { act_code: 'ErrorNoActCode', apn: 'ErrorNoApn', name: 'ErrorNoName' } }
export const switchProfileErrors: FieldErrors = { missing: { iccid: 'ErrorNoIccid' } }
