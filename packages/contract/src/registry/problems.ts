import { problem } from '../kernel/problem.ts'

export const slugTaken = problem({ code: 'slug_taken', status: 409, title: 'Another account has this name in the registry' })
export const slugSettled = problem({
  code: 'slug_settled',
  status: 409,
  title: 'The name of the account in the registry is settled once it has a repository: devices pull by it',
})
export const tagProtected = problem({ code: 'tag_protected', status: 409, title: 'This tag is protected' })
export const imageNeeded = problem({ code: 'image_needed', status: 409, title: 'An index names this image: delete that first' })
export const registrySuspended = problem({
  code: 'registry_suspended',
  status: 403,
  title: 'The account is suspended: its images can be pulled, and nothing can be changed',
})
export const robotNameTaken = problem({ code: 'robot_name_taken', status: 409, title: 'Another robot has this name' })
export const tooManyRobots = problem({ code: 'too_many_robots', status: 409, title: 'An account has at most 100 robots' })
export const tagsChanged = problem({
  code: 'tags_changed',
  status: 409,
  title: 'Other tags match by now than when you looked: look again',
})
export const untaggedChanged = problem({
  code: 'untagged_changed',
  status: 409,
  title: 'Other images have no tag by now than when you looked: look again',
})
export const publicKeyUnreadable = problem({
  code: 'public_key_unreadable',
  status: 400,
  title: 'This is no public key that signatures can be verified with',
})
export const signingKeyTaken = problem({
  code: 'signing_key_taken',
  status: 409,
  title: 'Another signing key has this name, or is the same key',
})
export const tooManySigningKeys = problem({ code: 'too_many_signing_keys', status: 409, title: 'An account has at most 20 signing keys' })
export const scannerMissing = problem({ code: 'scanner_missing', status: 409, title: 'This installation has no scanner of images' })
export const notScannable = problem({
  code: 'not_scannable',
  status: 409,
  title: 'This is no image that a scanner could look into',
})
export const layerUnreadable = problem({
  code: 'layer_unreadable',
  status: 409,
  title: 'This layer is no archive of files that can be read',
})
