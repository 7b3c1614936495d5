import { createDeployment, pauseDeployment } from '@masthead/contract/core/operations'
import type { Person } from '@masthead/testkit/house'

/** A deployment that is open and one that is paused. */
export async function addDeployments(owner: Person): Promise<{ id: string; paused_id: string }> {
  const { id } = (await owner.call(createDeployment, { body: { name: 'Sweep' } })).body
  const paused_id = (await owner.call(createDeployment, { body: { name: 'Paused sweep' } })).body.id
  await owner.call(pauseDeployment, { params: { deployment_id: paused_id } })
  return { id, paused_id }
}
