import * as ops from '@masthead/contract/core/operations'
import { read, stream, write, type Route } from '../kernel/http/routes.ts'
import {
  deleteDeployment,
  pauseDeployment,
  resumeDeployment,
  revokeDeployment,
  rotateToken,
  updateDeployment,
} from './change-deployment.ts'
import { createDeployment } from './create-deployment.ts'
import { getDeployment, listDeployments } from './deployment-queries.ts'
import { exportEnrolments, listEnrolments } from './enrolment-queries.ts'

export const coreRoutes: Route[] = [
  read(ops.listDeployments, ({ db, actor, query }) => listDeployments(db, actor, query)),
  read(ops.getDeployment, ({ db, actor, params }) => getDeployment(db, actor, params.deployment_id)),
  write(ops.createDeployment, ({ db, actor, body }) => createDeployment(db, actor, body)),
  write(ops.updateDeployment, ({ db, actor, params, body }) => updateDeployment(db, actor, params.deployment_id, body)),
  write(ops.pauseDeployment, ({ db, actor, params }) => pauseDeployment(db, actor, params.deployment_id)),
  write(ops.resumeDeployment, ({ db, actor, params }) => resumeDeployment(db, actor, params.deployment_id)),
  write(ops.rotateToken, ({ db, actor, params, body }) => rotateToken(db, actor, params.deployment_id, body)),
  write(ops.revokeDeployment, ({ db, actor, params }) => revokeDeployment(db, actor, params.deployment_id)),
  write(ops.deleteDeployment, ({ db, actor, params }) => deleteDeployment(db, actor, params.deployment_id)),
  read(ops.listEnrolments, ({ db, actor, params, query }) => listEnrolments(db, actor, params.deployment_id, query)),
  stream(
    ops.exportEnrolments,
    ({ db, actor, params, query }) => exportEnrolments(db, actor, params.deployment_id, query),
    () => 'enrolments.csv',
    ({ db, actor, params }) => getDeployment(db, actor, params.deployment_id)
  ),
]
