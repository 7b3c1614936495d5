import { isProfileStep, type NetworkStep } from '@masthead/contract/devices/network/plan'
import { setProfile } from './lpac.ts'
import { goneOrThrow, setUpConnection, writeConnection } from './connections.ts'
import { timeLeft } from './run-program.ts'

const write = (step: NetworkStep, waits: number) => (isProfileStep(step) ? setProfile(step, waits) : writeConnection(step, waits))
const setUp = async (step: NetworkStep, waits: number) => {
  if (!isProfileStep(step)) await setUpConnection(step, waits)
}

/** Does one step, within so many ms. */
export async function carryOut(step: NetworkStep, waits: number): Promise<void> {
  const left = timeLeft(waits)
  await write(step, left())
  await setUp(step, left())
}

/** The manager goes on by itself with what it was asked to set up. */
const leastWaits = 1000 // ms

/**
 * Puts back what was there within so many ms, and one step whatever becomes of another. It is done once the settings are as before: a connection that does not come up with
 * them is tried again by the manager itself. Answers the steps whose settings are not as before yet, why, and what was said against the others.
 */
export async function putBack(steps: readonly NetworkStep[], within: number) {
  const time = timeLeft(within)
  const left: NetworkStep[] = []
  const whyLeft: string[] = []
  const said: string[] = []
  for (const step of steps)
    await write(step, time())
      .catch(goneOrThrow)
      .catch((error: unknown) => {
        left.push(step)
        whyLeft.push((error as Error).message)
      })
  for (const step of steps)
    if (!left.includes(step)) await setUp(step, Math.max(leastWaits, time())).catch((error: unknown) => said.push((error as Error).message))
  return { left, whyLeft: whyLeft.join('. '), said: said.length > 0 ? said.join('. ').slice(0, 300) : null }
}
