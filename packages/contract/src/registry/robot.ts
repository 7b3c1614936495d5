import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { idKind } from '../kernel/id.ts'

export const robotId = idKind('rob')
export const mostRobots = 100

/** A repository of the account without its slug, or the beginning of several: `app/api`, `app/*`. */
const Pattern = z
  .string()
  .check(
    z.trim(),
    z.maxLength(200),
    z.regex(
      /^[a-z0-9]+([._/-]+[a-z0-9]+)*(\/\*)?$/,
      'Use the name of a repository without the account’s, like app/api, or app/* for all below'
    )
  )

/** Whether a robot may reach a repository, by its name without the slug. No pattern: all. */
export const reaches = (patterns: readonly string[], name: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => (pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))

const RobotName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter a name'),
    z.maxLength(60, 'Use at most 60 characters'),
    z.regex(/^[a-z0-9]+([._-][a-z0-9]+)*$/, 'Use small letters, digits, dots, dashes and underscores')
  )

/** A program that may reach the registry and nothing else. */
export const Robot = z.object({
  id: z.string(),
  name: z.string(),
  /** What its secret begins with. */
  prefix: z.string(),
  /** It may push and delete, too. */
  can_push: z.boolean(),
  repositories: z.array(z.string()),
  expires_at: z.nullable(Time),
  /** The API key that made it: the robot ends with that. Its name is null once the key is gone. */
  api_key: z.nullable(z.object({ name: z.nullable(z.string()), ended: z.boolean() })),
  created_by: z.string(),
  created_at: Time,
  last_used_at: z.nullable(Time),
})
export type Robot = z.output<typeof Robot>

/** The one answer that has its secret. */
export const RobotOnce = z.extend(Robot, { secret: z.string() })
export type RobotOnce = z.output<typeof RobotOnce>

export const CreateRobotBody = z.object({
  name: RobotName,
  can_push: z._default(z.boolean(), false),
  repositories: z._default(z.array(Pattern).check(z.maxLength(50, 'Use at most 50')), []),
  /** Days from now; null: until it is deleted. */
  expires_in_days: z._default(
    z.nullable(z.int().check(z.minimum(1, 'Choose 1 to 3650 days'), z.maximum(3650, 'Choose 1 to 3650 days'))),
    null
  ),
})
export type CreateRobotBody = z.output<typeof CreateRobotBody>
