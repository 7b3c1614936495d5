import type { NetworkStep } from '@masthead/contract/devices/network/plan'
import { setProfile } from './lpac.ts'
import { goneOrThrow, setUpConnection, writeConnection } from './connections.ts'

const write = (step: NetworkStep, waits: number) =>
  step.do === 'enable_profile' || step.do === 'disable_profile' ? setProfile(step, waits) : writeConnection(step)
const setUp = (step: NetworkStep, waits: number) =>
  step.do === 'enable_profile' || step.do === 'disable_profile' ? Promise.resolve() : setUpConnection(step, waits)

/** Does one step, within so many ms. */
export async function carryOut(step: NetworkStep, waits: number): Promise<void> {
  await write(step, waits)
  await setUp(step, waits)
}

/**
 * Puts back what was there, and one step whatever becomes of another. It is done once the settings are as before: a connection that does not come up with
 * them is tried again by the manager itself. Answers the steps whose settings are not as before yet, why, and what was said against the others.
 */
export async function putBack(steps: readonly NetworkStep[], waits: number) {
  const left: NetworkStep[] = []
  const whyLeft: string[] = []
  const said: string[] = []
  for (const step of steps)
    await write(step, waits)
      .catch(goneOrThrow)
      .catch((error: unknown) => {
        left.push(step)
        whyLeft.push((error as Error).message)
      })
  for (const step of steps)
    if (!left.includes(step)) await setUp(step, waits).catch((error: unknown) => said.push((error as Error).message))
  return { left, whyLeft: whyLeft.join('. '), said: said.length > 0 ? said.join('. ').slice(0, 300) : null }
}
