import * as z from 'zod/mini'
import { named } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { forbidden, notFound } from '../kernel/problem.ts'
import { assetNotRestorable, fleetHasNoPilot, nothingToPublish, pilotNotReady, rolloutOpen, rolloutWrongState } from './problems.ts'
import { FleetVersion, Rollout, RolloutAsset, RolloutDeviceState, RolloutPlan, RolloutPreview, RolloutTry } from './rollout.ts'

export const listVersions = operation({
  name: 'alpon_fleets.listVersions',
  method: 'GET',
  path: '/alpon-fleets/{fleet_id}/versions',
  summary: 'The versions of a fleet, the newest first',
  access: 'alpon_fleets.view',
  query: PageQuery,
  reply: page(FleetVersion),
  problems: [notFound],
})

/**
 * What is wanted of the pilot becomes the next version, once the pilot runs it: its containers, and its network priority and APN where they are set. Each
 * image keeps the digest that the pilot runs.
 */
export const publishVersion = operation({
  name: 'alpon_fleets.publishVersion',
  method: 'POST',
  path: '/alpon-fleets/{fleet_id}/versions',
  summary: 'Publish what the pilot runs as the next version',
  access: 'alpon_fleets.edit',
  body: z.object({ note: z._default(z.nullable(named('Enter a note, or none')), null) }),
  reply: FleetVersion,
  problems: [forbidden, notFound, fleetHasNoPilot, pilotNotReady, nothingToPublish],
})

export const listRollouts = operation({
  name: 'alpon_fleets.listRollouts',
  method: 'GET',
  path: '/alpon-fleets/{fleet_id}/rollouts',
  summary: 'The rollouts of a fleet, the newest first',
  access: 'alpon_fleets.view',
  query: PageQuery,
  reply: page(Rollout),
  problems: [notFound],
})

/**
 * What a rollout to the fleet as it is now would reach, and what its devices would download. Sizes need the permission to see the container
 * registry, too, and data pools the one to see those.
 */
export const getRolloutPreview = operation({
  name: 'alpon_fleets.getRolloutPreview',
  method: 'GET',
  path: '/alpon-fleets/{fleet_id}/rollout-preview',
  summary: 'What a rollout would reach',
  access: 'alpon_fleets.view',
  query: z.object({ version: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)) }),
  reply: RolloutPreview,
  problems: [notFound],
})

/** Any version, an older one too. The pilot is in the first phase; with `pilot_minutes` it is alone until it has run the version for so long. */
export const startRollout = operation({
  name: 'alpon_fleets.startRollout',
  method: 'POST',
  path: '/alpon-fleets/{fleet_id}/rollouts',
  summary: 'Roll a version out to the devices of a fleet',
  access: 'alpon_fleets.edit',
  body: z.object({ version: z.int().check(z.minimum(1), z.maximum(1_000_000)), plan: RolloutPlan }),
  reply: Rollout,
  problems: [forbidden, notFound, rolloutOpen, fleetHasNoPilot],
})

export const listRolloutAssets = operation({
  name: 'alpon_fleets.listRolloutAssets',
  method: 'GET',
  path: '/alpon-fleets/{fleet_id}/rollouts/{rollout_id}/assets',
  summary: 'How far each device of a rollout is',
  access: 'alpon_fleets.view',
  query: z.extend(PageQuery, { state: z.optional(RolloutDeviceState) }),
  reply: page(RolloutAsset),
  problems: [notFound],
})

/** Also those from before somebody had it tried again. */
export const listRolloutTries = operation({
  name: 'alpon_fleets.listRolloutTries',
  method: 'GET',
  path: '/alpon-fleets/{fleet_id}/rollouts/{rollout_id}/assets/{asset_id}/tries',
  summary: 'The tries of a rollout on one device that are over, the newest first',
  access: 'alpon_fleets.view',
  query: PageQuery,
  reply: page(RolloutTry),
  problems: [notFound],
})

/**
 * What was changed on it by hand is undone, and one that failed is tried again. It waits as any other device of the rollout: for the maintenance window,
 * until a paused or halted one is resumed, and until it is online. The rollout stays as it is, also a finished one: what becomes of the asset halts and
 * holds up no other.
 */
export const restoreFleetAsset = operation({
  name: 'alpon_fleets.restoreFleetAsset',
  method: 'POST',
  path: '/alpon-fleets/{fleet_id}/assets/{asset_id}/restore',
  summary: 'Bring one asset to the version of its fleet again',
  access: 'alpon_fleets.edit',
  reply: z.object({ version: z.int() }),
  problems: [notFound, assetNotRestorable],
})

const control = {
  method: 'POST',
  access: 'alpon_fleets.edit',
  reply: Rollout,
  problems: [forbidden, notFound, rolloutWrongState],
} as const

/** What has begun on a device ends by itself. */
export const pauseRollout = operation({
  ...control,
  name: 'alpon_fleets.pauseRollout',
  path: '/alpon-fleets/{fleet_id}/rollouts/{rollout_id}/pause',
  summary: 'Pause a rollout',
})
/** Of a halted one: the devices that failed stay so and do not halt it again. */
export const resumeRollout = operation({
  ...control,
  name: 'alpon_fleets.resumeRollout',
  path: '/alpon-fleets/{fleet_id}/rollouts/{rollout_id}/resume',
  summary: 'Resume a rollout that is paused or halted',
})
/** Devices keep what they have. */
export const abortRollout = operation({
  ...control,
  name: 'alpon_fleets.abortRollout',
  path: '/alpon-fleets/{fleet_id}/rollouts/{rollout_id}/abort',
  summary: 'Abort a rollout for good',
})
/** Also of the newest one of a fleet that has finished: it stays so, and what becomes of these devices halts nothing. Those that left the fleet are left out. */
export const retryRollout = operation({
  ...control,
  name: 'alpon_fleets.retryRollout',
  path: '/alpon-fleets/{fleet_id}/rollouts/{rollout_id}/retry',
  summary: 'Try the failed devices of a rollout again',
})
