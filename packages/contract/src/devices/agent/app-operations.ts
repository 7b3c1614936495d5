import * as z from 'zod/mini'
import { operation } from '../../kernel/operation.ts'
import { deployErrors, updateErrors } from '../error-names.ts'
import { Application, DeployContainerBody, UpdateContainerBody } from './application.ts'
import { mostVariables, VariableName, VariableValue } from './container.ts'
import { agentTooOld, appExists, needsContainer, needsDevice, portTaken, tooManyContainers } from './problems.ts'

// The calls by which programs for these devices deploy (domain §6.7). An app is a container; all else of it is changed by the calls of containers.

/** By name. Null: the value that it has. A secret stays one. */
const environments = z
  .record(VariableName, z.nullable(VariableValue))
  .check(z.refine((all) => Object.keys(all).length <= mostVariables, `Use at most ${mostVariables} variables`))
const { name, image, ports, volumes } = DeployContainerBody.shape
const { ports: otherPorts, volumes: otherVolumes } = UpdateContainerBody.shape

export const DeployAppBody = z.object({ name, image, ports, volumes, environments: z._default(environments, {}) })
export type DeployAppBody = z.output<typeof DeployAppBody>
/** What is left out stays; an empty list removes. With nothing at all the image is pulled anew. */
export const UpdateAppBody = z.object({
  image: z.optional(image),
  ports: otherPorts,
  volumes: otherVolumes,
  environments: z.optional(environments),
})
export type UpdateAppBody = z.output<typeof UpdateAppBody>

export const deployApp = operation({
  name: 'devices.deployApp',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/apps',
  summary: 'Deploy a container on a device, its variables by name. With `Accept: text/event-stream` the answer is its progress',
  access: 'assets.edit',
  body: DeployAppBody,
  fieldErrors: deployErrors,
  reply: Application,
  problems: [...needsDevice, appExists, tooManyContainers, portTaken, agentTooOld],
})

/** Its name stays. */
export const updateApp = operation({
  name: 'devices.updateApp',
  method: 'PATCH',
  path: '/assets/{asset_id}/alpon/apps/{name}',
  summary: 'Change a container, its variables by name, or pull its image anew. With `Accept: text/event-stream` the answer is its progress',
  access: 'assets.edit',
  body: UpdateAppBody,
  fieldErrors: updateErrors,
  reply: Application,
  problems: [...needsContainer, portTaken, agentTooOld],
})
