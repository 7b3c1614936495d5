import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'

const asset = z.object({ asset_id: z.string(), asset_name: z.string() })
const container = z.extend(asset, { container_name: z.string() })
const refreshes = ['devices', 'assets'] as const

export const claimCodeMade = event({
  name: 'assets.claim_code_made',
  refreshes,
  detail: asset,
  sentence: 'Made a claim code for the device of {asset_name}',
})
export const deviceClaimed = event({
  name: 'assets.device_claimed',
  refreshes,
  detail: z.extend(asset, { host_name: z.string() }),
  sentence: 'The device {host_name} was set up as {asset_name}',
})
export const deviceRebooted = event({ name: 'assets.device_rebooted', refreshes, detail: asset, sentence: 'Rebooted {asset_name}' })
export const agentUpdateAsked = event({
  name: 'assets.agent_update_asked',
  refreshes,
  detail: z.extend(asset, { version: z.string() }),
  sentence: 'Asked the device of {asset_name} to update its agent to {version}',
})
export const certificateSet = event({
  name: 'assets.device_certificate_set',
  refreshes,
  detail: asset,
  sentence: 'Gave the device of {asset_name} a certificate to sign in with',
})
export const certificateRemoved = event({
  name: 'assets.device_certificate_removed',
  refreshes,
  detail: asset,
  sentence: 'Removed the certificate that the device of {asset_name} signed in with',
})
export const agentUpdated = event({
  name: 'assets.agent_updated',
  refreshes,
  detail: z.extend(asset, { version: z.string() }),
  sentence: 'The agent of {asset_name} was updated to {version} automatically',
})
export const agentUpdateFailed = event({
  name: 'assets.agent_update_failed',
  refreshes,
  detail: z.extend(asset, { version: z.string(), words: z.string() }),
  sentence: 'The agent of {asset_name} was not updated to {version}: {words}',
})
export const containerDeployed = event({
  name: 'assets.container_deployed',
  refreshes,
  detail: z.extend(container, { image: z.string() }),
  sentence: 'Deployed container {container_name} on {asset_name}',
})
export const containerUpdated = event({
  name: 'assets.container_updated',
  refreshes,
  detail: z.extend(container, { image: z.string() }),
  sentence: 'Updated container {container_name} on {asset_name}',
})
export const containerStarted = event({
  name: 'assets.container_started',
  refreshes,
  detail: container,
  sentence: 'Started container {container_name} on {asset_name}',
})
export const containerStopped = event({
  name: 'assets.container_stopped',
  refreshes,
  detail: container,
  sentence: 'Stopped container {container_name} on {asset_name}',
})
export const containerRestarted = event({
  name: 'assets.container_restarted',
  refreshes,
  detail: container,
  sentence: 'Restarted container {container_name} on {asset_name}',
})
export const containerRemoved = event({
  name: 'assets.container_removed',
  refreshes,
  detail: container,
  sentence: 'Removed container {container_name} on {asset_name}',
})
