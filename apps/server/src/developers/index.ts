export { authenticateAny } from './authenticate-key.ts'
export { sayCallLimit } from './call-limit.ts'
