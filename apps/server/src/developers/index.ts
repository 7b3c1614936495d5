export { authenticateAny } from './authenticate-key.ts'
export { sayCallLimit } from './call-limit.ts'
export { tagsOf } from './key-rights.ts'
export { lockAccount, readTags } from './may-grant.ts'
