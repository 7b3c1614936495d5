import { systemActor, type Tx } from '../kernel/app.ts'
import { createDeployment, pauseDeployment } from '../core/index.ts'

const day = 86_400_000

type Owner = { account_id: string; person_id: string; email: string }

/** CORE deployments of the demo, made as people make them: one that is open and one that is paused. */
export async function writeDemoDeployments(tx: Tx, { account_id, person_id, email }: Owner, now: Date): Promise<void> {
  const actorOf = (daysAgo: number) => ({
    ...systemActor(account_id, new Date(now.getTime() - daysAgo * day)),
    kind: 'member' as const,
    email,
    person_id,
  })
  const none = { tags: [], network_group: null, max_devices: null, expires_at: null }
  await createDeployment(tx, actorOf(40), {
    ...none,
    name: 'weirs-2026',
    region: 'emea',
    board: 'raspberry_pi',
    tags: ['metering'],
    max_devices: 50,
    expires_at: new Date(now.getTime() + 120 * day).toISOString(),
  })
  const { id } = await createDeployment(tx, actorOf(21), {
    ...none,
    name: 'gantry-cams',
    region: 'apac',
    board: 'jetson',
    tags: ['vision'],
  })
  await pauseDeployment(tx, actorOf(10), id)
}
