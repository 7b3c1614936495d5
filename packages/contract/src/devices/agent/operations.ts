import * as z from 'zod/mini'
import { assetNotFound } from '../../assets/problems.ts'
import { Time } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { notFound } from '../../kernel/problem.ts'
import { deployErrors, updateErrors } from '../error-names.ts'
import { Application, ContainerAction, DeployContainerBody, UpdateContainerBody } from './application.ts'
import { LogLine, LogPart, mostLogLines } from './messages.ts'
import {
  agentTooOld,
  agentUpToDate,
  assetRunsNoContainers,
  certificateNotSet,
  containerExists,
  containerWrongState,
  needsBoth,
  needsContainer,
  needsDevice,
  needsOurType,
  notFoundOnOther,
  portTaken,
  tooManyContainers,
} from './problems.ts'
import { Agent } from './update.ts'

/** Another one is worth nothing from then on. The device that uses it replaces the one of before. */
export const makeClaimCode = operation({
  name: 'devices.makeClaimCode',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/claim-code',
  summary: 'Make a claim code, by which a device is set up as this asset, once and within 24 hours',
  access: 'assets.edit',
  encryptsReply: true,
  reply: z.object({ code: z.string(), expires_at: Time }),
  problems: [assetNotFound, assetRunsNoContainers],
})

export const getApplication = operation({
  name: 'devices.getApplication',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/containers',
  summary: 'The containers of a device: what is wanted, and what it reported last',
  access: 'assets.view',
  reply: Application,
  problems: needsOurType,
})

export const deployContainer = operation({
  name: 'devices.deployContainer',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/containers',
  summary: 'Deploy a container on a device. With `Accept: text/event-stream` the answer is its progress',
  access: 'assets.edit',
  body: DeployContainerBody,
  fieldErrors: deployErrors,
  reply: Application,
  problems: [...needsDevice, containerExists, tooManyContainers, portTaken, agentTooOld],
})

/** Its name stays. With an `action` alone nothing is pulled: it is what the call of that name does. Beside changes it is done after them. */
export const updateContainer = operation({
  name: 'devices.updateContainer',
  method: 'PATCH',
  path: '/assets/{asset_id}/alpon/containers/{name}',
  summary:
    'Change a container, pull its image anew, or start, stop or restart it. With `Accept: text/event-stream` the answer is its progress',
  access: 'assets.edit',
  body: z.extend(UpdateContainerBody, { action: z.optional(ContainerAction) }),
  fieldErrors: updateErrors,
  reply: Application,
  problems: [...needsContainer, portTaken, containerWrongState, agentTooOld],
})

export const startContainer = operation({
  name: 'devices.startContainer',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/containers/{name}/start',
  summary: 'Start a container',
  access: 'assets.edit',
  reply: Application,
  problems: [...needsContainer, containerWrongState],
})
export const stopContainer = operation({
  name: 'devices.stopContainer',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/containers/{name}/stop',
  summary: 'Stop a container',
  access: 'assets.edit',
  reply: Application,
  problems: [...needsContainer, containerWrongState],
})
export const restartContainer = operation({
  name: 'devices.restartContainer',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/containers/{name}/restart',
  summary: 'Restart a container',
  access: 'assets.edit',
  reply: Application,
  problems: [...needsContainer, containerWrongState],
})
export const removeContainer = operation({
  name: 'devices.removeContainer',
  method: 'DELETE',
  path: '/assets/{asset_id}/alpon/containers/{name}',
  summary: 'Remove a container from a device',
  access: 'assets.edit',
  reply: Application,
  problems: needsContainer,
})

/** PEM. */
const certificate = z
  .string('Enter a certificate')
  .check(z.minLength(1, 'Enter a certificate'), z.maxLength(8000, 'Use at most 8,000 characters'))

const lines = z._default(z.int().check(z.minimum(1), z.maximum(mostLogLines)), 100)

/** They come from the device: ask for them by the id. */
export const requestLogs = operation({
  name: 'devices.requestLogs',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/containers/{name}/logs',
  summary: 'Ask a device for the last lines of the log of a container',
  access: 'assets.edit',
  body: z.object({ lines }),
  reply: z.object({ request_id: z.string() }),
  problems: needsBoth,
})
/** What it did and what it could not, since it was started. They come from the device, as those of a container do. */
export const requestAgentLogs = operation({
  name: 'devices.requestAgentLogs',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/agent/logs',
  summary: 'Ask a device for the last lines that its agent wrote',
  access: 'assets.edit',
  body: z.object({ lines }),
  reply: z.object({ request_id: z.string() }),
  problems: needsDevice,
})
/** Until another answer of the device takes its place. */
export const getLogs = operation({
  name: 'devices.getLogs',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/logs/{request_id}',
  summary: 'The lines that were asked for, once the device has sent them',
  access: 'assets.edit',
  reply: z.object({
    state: z.enum(['waiting', 'here', 'failed']),
    words: z.nullable(z.string()),
    lines: z.array(LogLine),
  }),
  problems: [assetNotFound, notFoundOnOther, notFound],
})

/** To go on following, ask again before the 30 seconds are over. */
export const followLogs = operation({
  name: 'devices.followLogs',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/containers/{name}/logs/follow',
  summary: 'Have a device send the log of a container as it is written, for 30 seconds',
  access: 'assets.edit',
  problems: needsBoth,
})
/** The latest of it: whoever follows asks again as it changes. */
export const getFollowedLogs = operation({
  name: 'devices.getFollowedLogs',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/containers/{name}/logs/follow',
  summary: 'The latest parts of a log that is followed, the oldest first',
  access: 'assets.edit',
  reply: z.object({ parts: z.array(LogPart) }),
  problems: needsContainer,
})

export const rebootDevice = operation({
  name: 'devices.rebootDevice',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/reboot',
  summary: 'Reboot a device. One that is offline does so when it is back within 10 minutes',
  access: 'assets.edit',
  problems: needsDevice,
})

export const getAgent = operation({
  name: 'devices.getAgent',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/agent',
  summary:
    'The version of the agent on a device, the one that the server has, how far an update is, and the certificate that it signs in with',
  access: 'assets.view',
  reply: Agent,
  problems: needsDevice,
})

/** A device that is offline updates itself when it is back. One whose new version does not come up goes back to the version before. */
export const updateAgent = operation({
  name: 'devices.updateAgent',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/agent/update',
  summary: 'Update the agent of a device to the version that the server has',
  access: 'assets.edit',
  reply: Agent,
  problems: [...needsDevice, agentUpToDate],
})

/** In place of the one that it may have. A connection that was opened with that one ends. Its token stays good. */
export const setCertificate = operation({
  name: 'devices.setCertificate',
  method: 'PUT',
  path: '/assets/{asset_id}/alpon/certificate',
  summary: 'Give a device that is set up a certificate by whose key it may sign in to the broker',
  access: 'assets.edit',
  body: z.object({ certificate }),
  reply: Agent,
  problems: needsDevice,
})
/** A connection that was opened with it ends. */
export const removeCertificate = operation({
  name: 'devices.removeCertificate',
  method: 'DELETE',
  path: '/assets/{asset_id}/alpon/certificate',
  summary: 'Have a device sign in with its token alone',
  access: 'assets.edit',
  reply: Agent,
  problems: [...needsDevice, certificateNotSet],
})
