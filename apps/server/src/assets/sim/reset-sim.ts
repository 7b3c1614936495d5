import { sessionsReset } from '@masthead/contract/assets/events'
import type { resetSim as resetSimOp } from '@masthead/contract/assets/sim-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record, recordMany } from '../../kernel/record.ts'
import { getSimForUpdate } from '../asset-queries.ts'
import { resetSessions, type NamedSim } from '../service/index.ts'

/** Asks the gateways to end what the SIM of an asset has open, so that its device attaches anew. Throws asset_has_no_sim. */
export async function resetSim(tx: Tx, actor: Actor, asset_id: string): Promise<Reply<typeof resetSimOp>> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  const sessions = (await resetSessions(tx, [{ account_id: actor.account_id, sim_id: sim.sim_id }])).get(sim.sim_id) ?? 0
  if (sessions === 0)
    return { sessions, words: 'No session is open, so there is nothing to reset. The device attaches by itself when it is on' }
  await record(tx, actor, sessionsReset, { ...sim, sessions })
  const asked = sessions === 1 ? 'The gateway is asked to end the session' : `The gateways are asked to end ${sessions} sessions`
  return { sessions, words: `${asked}. The device attaches anew by itself; the answer appears here within seconds` }
}

/** The same for some hundred locked SIMs of an account, in a fixed number of statements. */
export async function resetSims(tx: Tx, actor: Actor, sims: readonly Omit<NamedSim, 'account_id'>[]): Promise<void> {
  const { account_id } = actor
  const sessions = await resetSessions(
    tx,
    sims.map(({ sim_id }) => ({ account_id, sim_id }))
  )
  await recordMany(
    tx,
    actor,
    sessionsReset,
    sims.map((sim) => ({ ...sim, sessions: sessions.get(sim.sim_id) ?? 0 }))
  )
}
