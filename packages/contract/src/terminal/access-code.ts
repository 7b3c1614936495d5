import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'

const most = 100 // characters
const least = 6

/** What has to be typed before a terminal of a device opens. */
export const NewAccessCode = z.object({
  code: z
    .string({ error: 'Enter a code' })
    .check(z.minLength(least, `At least ${least} characters`), z.maxLength(most, `At most ${most} characters`)),
})
/** As it is typed: a code that is too short is a wrong one. */
export const TypedAccessCode = z.string().check(z.maxLength(most, `At most ${most} characters`))

/** Wrong codes at one device of one person, and of all together, before they have to wait: it takes many persons to keep out those who know the code. */
export const accessCodeTries = { person: 5, device: 100 } as const
/** Seconds in which these are counted. */
export const accessCodeWindow = 900

export const AccessCode = z.object({
  is_set: z.boolean(),
  set_by: z.nullable(z.string()),
  set_at: z.nullable(Time),
})
export type AccessCode = z.output<typeof AccessCode>
