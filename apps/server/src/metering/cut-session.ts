import { sessionCut } from '@masthead/contract/assets/events'
import { hasService, type DisconnectOutcome } from '@masthead/contract/assets/sim'
import { systemActor, type App, type Tx } from '../kernel/app.ts'
import { addJob } from '../kernel/jobs.ts'
import { record } from '../kernel/record.ts'
import { askToDisconnect, usualWaits, type DisconnectAnswer } from './disconnect.ts'

type SessionOf = { account_id: string; session_id: string }

/** Tried again after 3 s, 7 s, 20 s, … up to some four hours in all. */
const mostAttempts = 10

/** Sees to it that every open session of a SIM is cut. Safe to repeat: a session has one job. */
export async function cutSessionsOf({ db }: App, account_id: string, sim_id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { id } of await openSessionsOf(tx, account_id, sim_id)) {
      await addJob(tx, 'cut_session', { account_id, session_id: id }, { key: `cut_session:${id}`, maxAttempts: mostAttempts })
    }
  })
}

/** The sessions of a SIM that have not ended. */
export const openSessionsOf = (tx: Tx, account_id: string, sim_id: string): Promise<{ id: string }[]> =>
  tx
    .selectFrom('data_session')
    .select('id')
    .where('account_id', '=', account_id)
    .where('sim_id', '=', sim_id)
    .where('ended_at', 'is', null)
    .execute()

/**
 * Asks the gateway to end a session and keeps its answer. Rejects when it refused or did not answer, so that the job is tried again.
 * Nothing is asked for a session that has ended, or whose SIM has service again.
 */
export async function cutSession(app: App, { account_id, session_id }: SessionOf, waits = usualWaits): Promise<void> {
  const found = await app.db
    .selectFrom('data_session as s')
    .innerJoin('gateway as g', 'g.id', 's.gateway_id')
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 's.account_id').onRef('sim.id', '=', 's.sim_id'))
    .select(['s.acct_session_id', 's.nas', 's.imsi', 's.ended_at', 's.disconnect', 'sim.state', 'sim.blocks'])
    .select(['g.address', 'g.coa_port as port', 'g.secret'])
    .where('s.account_id', '=', account_id)
    .where('s.id', '=', session_id)
    .executeTakeFirst()
  if (!found || found.ended_at || hasService(found)) return
  const at = app.clock.now()
  const before = found.disconnect
  const asked: DisconnectOutcome = {
    requested_at: before?.requested_at ?? at.toISOString(),
    answered_at: null,
    attempts: before?.attempts ?? 0,
    answer: null,
    words: 'Asked the gateway to end the session',
  }
  await keepOutcome(app, { account_id, session_id }, asked)
  const answer = await askToDisconnect({ gateway: found, session: found, at, waits })
  await app.db.transaction().execute((tx) => keepAnswer(tx, { account_id, session_id }, { asked, before, answer, at: app.clock.now() }))
  if (answer.answer === 'nak' || answer.answer === 'timeout') throw new Error(`The session was not cut: ${answer.words}`)
}

const keepOutcome = ({ db }: Pick<App, 'db'>, { account_id, session_id }: SessionOf, disconnect: DisconnectOutcome) =>
  db
    .updateTable('data_session')
    .set({ disconnect: JSON.stringify(disconnect) })
    .where('account_id', '=', account_id)
    .where('id', '=', session_id)
    .execute()

type Answered = { asked: DisconnectOutcome; before: DisconnectOutcome | null; answer: DisconnectAnswer; at: Date }

async function keepAnswer(tx: Tx, { account_id, session_id }: SessionOf, { asked, before, answer, at }: Answered): Promise<void> {
  const session = await tx
    .selectFrom('data_session')
    .select(['sim_id', 'asset_id', 'ended_at', 'end_cause', 'updated_at'])
    .where('account_id', '=', account_id)
    .where('id', '=', session_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { answer: kind, words, sends } = answer
  const outcome: DisconnectOutcome = {
    ...asked,
    answered_at: kind === 'timeout' ? null : at.toISOString(),
    attempts: asked.attempts + sends,
    answer: kind,
    words,
  }
  // Its stop may have come first, or never comes.
  const end =
    kind === 'ack'
      ? { ended_at: session.ended_at ?? new Date(Math.max(at.getTime(), session.updated_at.getTime())), end_cause: 'Cut by Masthead' }
      : kind === 'gone' && !session.ended_at
        ? { ended_at: session.updated_at, end_cause: 'Lost stop' }
        : {}
  await tx
    .updateTable('data_session')
    .set({ disconnect: JSON.stringify(outcome), ...end })
    .where('account_id', '=', account_id)
    .where('id', '=', session_id)
    .execute()
  if (kind === before?.answer) return // said once
  const { iccid, asset_name } = await tx
    .selectFrom('sim')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'sim.account_id').onRef('asset.id', '=', 'sim.asset_id'))
    .select(['sim.iccid', 'asset.name as asset_name'])
    .where('sim.account_id', '=', account_id)
    .where('sim.id', '=', session.sim_id)
    .executeTakeFirstOrThrow()
  const { sim_id, asset_id } = session
  await record(tx, systemActor(account_id, at), sessionCut, { asset_id, asset_name, sim_id, iccid, session_id, answer: kind, words })
}
