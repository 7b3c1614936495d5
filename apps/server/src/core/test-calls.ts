import type { CallRows } from '../test-calls.ts'
import type { Scene } from '../test-samples.ts'

const onDeployment = ({ deployment }: Scene) => ({ params: { deployment_id: deployment.id }, other: { deployment_id: 'another' } })

export const calls: CallRows = {
  'core.listDeployments': { access: 'core.view' },
  'core.getDeployment': { access: 'core.view', sample: onDeployment },
  'core.createDeployment': { access: 'core.edit', sample: () => ({ body: { name: 'South' }, other: { name: 'East' } }) },
  'core.updateDeployment': {
    access: 'core.edit',
    sample: (scene) => ({ ...onDeployment(scene), body: { board: 'jetson' }, other: { board: 'other' } }),
  },
  'core.pauseDeployment': { access: 'core.edit', sample: onDeployment },
  'core.resumeDeployment': {
    access: 'core.edit',
    sample: ({ deployment }) => ({ params: { deployment_id: deployment.paused_id }, other: { deployment_id: deployment.id } }),
  },
  'core.rotateToken': {
    access: 'core.edit',
    sample: (scene) => ({ ...onDeployment(scene), body: { overlap_hours: 1 }, other: { overlap_hours: 2 } }),
  },
  'core.revokeDeployment': { access: 'core.edit', sample: onDeployment },
  'core.deleteDeployment': { access: 'core.edit', sample: onDeployment },
  'core.listEnrolments': { access: 'core.view', sample: onDeployment },
  'core.exportEnrolments': { access: 'core.view', sample: onDeployment },
}
