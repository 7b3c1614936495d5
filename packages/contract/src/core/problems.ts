import { problem } from '../kernel/problem.ts'
import { mostDeployments } from './deployment.ts'
import { refusals, type RefusalCode } from './enrolment.ts'

export const tooManyDeployments = problem({
  code: 'too_many_core_deployments',
  status: 409,
  title: `An account has at most ${mostDeployments} CORE deployments`,
})
export const deploymentNameTaken = problem({
  code: 'core_deployment_name_taken',
  status: 409,
  title: 'A CORE deployment with this name already exists',
})
export const deploymentEnded = problem({
  code: 'core_deployment_ended',
  status: 409,
  title: 'This CORE deployment is revoked for good: create another one',
})
export const deploymentNotPausable = problem({
  code: 'core_deployment_not_open',
  status: 409,
  title: 'This CORE deployment enrols no devices now: there is nothing to pause',
})
export const deploymentNotPaused = problem({
  code: 'core_deployment_not_paused',
  status: 409,
  title: 'This CORE deployment is not paused',
})

/** What a device is answered. It writes the text of a 400 into its log, and of nothing else. */
export const tokenUnknown = problem({ code: 'core_token_unknown', status: 400, title: 'There is no CORE deployment with this token' })
export const refusal = (code: RefusalCode) => problem({ code, status: 400, title: refusals[code] })
