import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const deployment = z.object({ core_deployment_id: z.string(), deployment_name: z.string() })
const refreshes = ['core'] as const

export const deploymentCreated = event({
  name: 'core.deployment_created',
  refreshes,
  detail: deployment,
  sentence: 'Created CORE deployment {deployment_name}',
})
export const deploymentUpdated = event({
  name: 'core.deployment_updated',
  refreshes,
  detail: z.extend(deployment, { changed: z.array(z.string()) }),
  sentence: 'Changed CORE deployment {deployment_name}',
})
export const deploymentPaused = event({
  name: 'core.deployment_paused',
  refreshes,
  detail: deployment,
  sentence: 'Paused CORE deployment {deployment_name}',
})
export const deploymentResumed = event({
  name: 'core.deployment_resumed',
  refreshes,
  detail: deployment,
  sentence: 'Resumed CORE deployment {deployment_name}',
})
export const tokenRotated = event({
  name: 'core.token_rotated',
  refreshes,
  detail: z.extend(deployment, { overlap_hours: z.int() }),
  sentence: ({ overlap_hours }) =>
    overlap_hours === 0
      ? 'Gave CORE deployment {deployment_name} a new token; the one before ended at once'
      : `Gave CORE deployment {deployment_name} a new token; the one before works for {overlap_hours} ${overlap_hours === 1 ? 'hour' : 'hours'}`,
})
export const deploymentRevoked = event({
  name: 'core.deployment_revoked',
  refreshes,
  detail: deployment,
  sentence: 'Revoked CORE deployment {deployment_name}',
})
export const deploymentDeleted = event({
  name: 'core.deployment_deleted',
  refreshes,
  detail: z.extend(deployment, { enrolled: z.int() }),
  sentence: 'Deleted CORE deployment {deployment_name}',
})
export const deviceEnrolled = event({
  name: 'core.device_enrolled',
  refreshes: ['core', 'assets'],
  detail: z.extend(deployment, { asset_id: z.string(), asset_name: z.string(), iccid: z.string() }),
  sentence: 'Enrolled {asset_name} by CORE deployment {deployment_name}',
})
export const deviceTokenRenewed = event({
  name: 'core.device_token_renewed',
  refreshes: ['core', 'assets'],
  detail: z.extend(deployment, { asset_id: z.string(), asset_name: z.string(), iccid: z.string() }),
  sentence: '{asset_name} was enrolled anew by CORE deployment {deployment_name} and has a new device token',
})
