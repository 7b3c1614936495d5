import * as z from 'zod/mini'
import { Name, Time } from '../kernel/fields.ts'
import { idKind } from '../kernel/id.ts'

export const deploymentId = idKind('cdp')

/** The installer's region: which of its servers are nearest to the device. */
export const Region = z.enum(['global', 'emea', 'apac'])
export type Region = z.output<typeof Region>
export const Board = z.enum(['any', 'raspberry_pi', 'jetson', 'other'])
export type Board = z.output<typeof Board>

export const DeploymentState = z.enum(['open', 'full', 'paused', 'expired', 'revoked'])
export type DeploymentState = z.output<typeof DeploymentState>

/** How many an account can have, and how many devices one takes at most. */
export const mostDeployments = 200
export const mostDevices = 1_000_000

type Standing = { paused_at: unknown; revoked_at: unknown; expires_at: Date | string | null; max_devices: number | null; enrolled: number }

/** What a deployment answers to a device that it does not know yet. */
export function deploymentState({ paused_at, revoked_at, expires_at, max_devices, enrolled }: Standing, at: Date): DeploymentState {
  if (revoked_at) return 'revoked'
  if (expires_at && new Date(expires_at) <= at) return 'expired'
  if (paused_at) return 'paused'
  return max_devices !== null && enrolled >= max_devices ? 'full' : 'open'
}

/** Whether something can be done to a deployment now: the rule of the button and of the server. */
export const deploymentCan = {
  pause: (state: DeploymentState) => state === 'open' || state === 'full',
  resume: (state: DeploymentState) => state === 'paused',
  rotate: (state: DeploymentState) => state !== 'revoked',
  revoke: (state: DeploymentState) => state !== 'revoked',
  update: (state: DeploymentState) => state !== 'revoked',
} as const

export const Deployment = z.object({
  id: z.string(),
  name: z.string(),
  state: DeploymentState,
  /** The last four characters of the token, to know it again. */
  token_end: z.string(),
  /** Whether the token registers SIMs from stock: whoever made it was allowed to. Else it takes only SIMs that the account has. */
  registers: z.boolean(),
  region: Region,
  board: Board,
  /** What each device's asset gets. `name` is null when the tag is gone. */
  tags: z.array(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  /** Null: the default group, or the one that was meant is gone. */
  network_group: z.nullable(z.object({ id: z.string(), name: z.string() })),
  max_devices: z.nullable(z.int()),
  expires_at: z.nullable(Time),
  /** Devices that have a token of their own by it. */
  enrolled: z.int(),
  last_enrolled_at: z.nullable(Time),
  /** ICCIDs that were refused when they asked last. */
  refused: z.int(),
  created_by: z.string(),
  created_at: Time,
  rotated_at: z.nullable(Time),
  /** After a rotation: the token from before still works until then. */
  previous: z.nullable(z.object({ token_end: z.string(), expires_at: Time })),
})
export type Deployment = z.output<typeof Deployment>

/** As it is handed out, once: `token` cannot be shown again. */
export const DeploymentOnce = z.extend(Deployment, { token: z.string() })
export type DeploymentOnce = z.output<typeof DeploymentOnce>

const fields = {
  name: Name,
  region: Region,
  board: Board,
  tags: z.array(z.string().check(z.maxLength(120))).check(z.maxLength(20, 'Use at most 20 tags')),
  /** Its id or its name; null: the default group. */
  network_group: z.nullable(z.string().check(z.maxLength(120))),
  max_devices: z.nullable(
    z
      .int({ error: 'Enter a whole number' })
      .check(z.minimum(1, 'At least 1'), z.maximum(mostDevices, `At most ${mostDevices.toLocaleString('en')}`))
  ),
  expires_at: z.nullable(Time),
}

export const CreateDeploymentBody = z.object({
  name: fields.name,
  region: z._default(fields.region, 'global'),
  board: z._default(fields.board, 'any'),
  tags: z._default(fields.tags, []),
  network_group: z._default(fields.network_group, null),
  max_devices: z._default(fields.max_devices, null),
  expires_at: z._default(fields.expires_at, null),
})
export const UpdateDeploymentBody = z.partial(z.object(fields))
export const RotateTokenBody = z.object({
  /** How long the token as it was still works beside the new one. */
  overlap_hours: z._default(
    z.int({ error: 'Enter whole hours' }).check(z.minimum(0, 'At least 0'), z.maximum(168, 'At most 168 hours')),
    24
  ),
})
