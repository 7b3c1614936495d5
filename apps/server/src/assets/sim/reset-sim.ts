import { sessionsReset } from '@masthead/contract/assets/events'
import type { resetSim as resetSimOp } from '@masthead/contract/assets/sim-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getSimForUpdate } from '../asset-queries.ts'
import { resetSessions } from '../service/index.ts'

/** Asks the gateways to end what the SIM of an asset has open, so that its device attaches anew. Throws asset_has_no_sim. */
export async function resetSim(tx: Tx, actor: Actor, asset_id: string): Promise<Reply<typeof resetSimOp>> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  const sessions = await resetSessions(tx, { account_id: actor.account_id, sim_id: sim.sim_id })
  if (sessions === 0)
    return { sessions, words: 'No session is open, so there is nothing to reset. The device attaches by itself when it is on' }
  await record(tx, actor, sessionsReset, { ...sim, sessions })
  const asked = sessions === 1 ? 'The gateway is asked to end the session' : `The gateways are asked to end ${sessions} sessions`
  return { sessions, words: `${asked}. The device attaches anew by itself; the answer appears here within seconds` }
}
