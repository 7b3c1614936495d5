import * as z from 'zod/mini'
import { tagUnknown } from '../assets/problems.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { groupUnknown } from '../network-groups/problems.ts'
import { CreateDeploymentBody, Deployment, DeploymentOnce, DeploymentState, RotateTokenBody, UpdateDeploymentBody } from './deployment.ts'
import { Enrolment } from './enrolment.ts'
import { deploymentEnded, deploymentNameTaken, deploymentNotPausable, deploymentNotPaused, tooManyDeployments } from './problems.ts'

/** Newest first. A member limited by tags sees the deployments whose devices get some of their tags and no others. */
export const listDeployments = operation({
  name: 'core.listDeployments',
  method: 'GET',
  path: '/core/deployments',
  summary: 'List CORE deployments',
  access: 'core.view',
  query: z.extend(PageQuery, {
    /** In the name and the end of the token. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    state: z.optional(DeploymentState),
  }),
  reply: page(Deployment),
})

export const getDeployment = operation({
  name: 'core.getDeployment',
  method: 'GET',
  path: '/core/deployments/{deployment_id}',
  summary: 'One CORE deployment',
  access: 'core.view',
  reply: Deployment,
  problems: [notFound],
})

export const createDeployment = operation({
  name: 'core.createDeployment',
  method: 'POST',
  path: '/core/deployments',
  summary: 'Create a CORE deployment; its token is shown only once',
  access: 'core.edit',
  body: CreateDeploymentBody,
  reply: DeploymentOnce,
  encryptsReply: true,
  problems: [deploymentNameTaken, tooManyDeployments, tagUnknown, groupUnknown],
})

/** What it gives to devices that enrol from now on; those that have enrolled stay as they are. */
export const updateDeployment = operation({
  name: 'core.updateDeployment',
  method: 'PATCH',
  path: '/core/deployments/{deployment_id}',
  summary: 'Change a CORE deployment',
  access: 'core.edit',
  body: UpdateDeploymentBody,
  reply: Deployment,
  problems: [notFound, deploymentNameTaken, deploymentEnded, tagUnknown, groupUnknown],
})

export const pauseDeployment = operation({
  name: 'core.pauseDeployment',
  method: 'POST',
  path: '/core/deployments/{deployment_id}/pause',
  summary: 'Have new devices wait, until it is resumed',
  access: 'core.edit',
  reply: Deployment,
  problems: [notFound, deploymentNotPausable],
})

export const resumeDeployment = operation({
  name: 'core.resumeDeployment',
  method: 'POST',
  path: '/core/deployments/{deployment_id}/resume',
  summary: 'Enrol devices again',
  access: 'core.edit',
  reply: Deployment,
  problems: [notFound, deploymentNotPaused],
})

export const rotateToken = operation({
  name: 'core.rotateToken',
  method: 'POST',
  path: '/core/deployments/{deployment_id}/rotate',
  summary: 'Give a CORE deployment a new token, shown only once; the previous one keeps working for a while',
  access: 'core.edit',
  body: RotateTokenBody,
  reply: DeploymentOnce,
  encryptsReply: true,
  problems: [notFound, deploymentEnded],
})

export const revokeDeployment = operation({
  name: 'core.revokeDeployment',
  method: 'POST',
  path: '/core/deployments/{deployment_id}/revoke',
  summary: 'End the tokens of a CORE deployment at once and for good; devices that enrolled keep working',
  access: 'core.edit',
  reply: Deployment,
  problems: [notFound, deploymentEnded],
})

/** Its enrolments and refusals go with it; the assets and their devices stay. */
export const deleteDeployment = operation({
  name: 'core.deleteDeployment',
  method: 'DELETE',
  path: '/core/deployments/{deployment_id}',
  summary: 'Delete a CORE deployment; devices that enrolled keep working',
  access: 'core.edit',
  problems: [notFound],
})

const EnrolmentFilter = z.object({
  result: z.optional(z.enum(['enrolled', 'refused'])),
  /** The beginning of an ICCID. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(40))),
})

/** Each ICCID once, as it was answered last; the latest first. */
export const listEnrolments = operation({
  name: 'core.listEnrolments',
  method: 'GET',
  path: '/core/deployments/{deployment_id}/enrolments',
  summary: 'Devices that enrolled by a CORE deployment, and those that were refused',
  access: 'core.view',
  query: z.extend(PageQuery, EnrolmentFilter.shape),
  reply: page(Enrolment),
  problems: [notFound],
})

export const exportEnrolments = operation({
  name: 'core.exportEnrolments',
  method: 'GET',
  path: '/core/deployments/{deployment_id}/enrolments.csv',
  summary: 'Devices that enrolled by a CORE deployment, and those that were refused, as CSV',
  access: 'core.view',
  query: EnrolmentFilter,
  gives: 'csv',
  problems: [notFound],
})
