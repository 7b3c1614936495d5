import * as z from 'zod/mini'

/** Why staff do something: kept in the staff log and shown to the customer. */
export const Reason = z.string().check(z.trim(), z.minLength(3, 'Say why'), z.maxLength(500, 'Use at most 500 characters'))
