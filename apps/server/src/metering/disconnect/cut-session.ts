import { sql } from 'kysely'
import { sessionCut } from '@masthead/contract/assets/events'
import { hasService } from '@masthead/contract/assets/service'
import type { DisconnectOutcome } from '@masthead/contract/assets/sim'
import { cutAgainAfter, isLastTry, mostTries, switchesOf } from '../../assets/service/index.ts'
import { decryptGatewaySecret } from '../../gateways/index.ts'
import { type App, type Tx, systemActor } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { keepDisconnect, measureEnforcements } from '../../usage/index.ts'
import { type Ask, type DisconnectAnswer, askToDisconnect, usualWaits } from './ask-to-disconnect.ts'

type SessionOf = { account_id: string; session_id: string }
/** `was_closed`: when this was asked for it was believed closed, and its gateway still reported it. */
type CutJob = SessionOf & {
  was_closed?: boolean
  /** Somebody wants the device to attach anew, whatever service its SIM has. */ is_reset?: boolean
}

/** What a Disconnect-Request is overtaken by on its way, in milliseconds: reports of up to so long after its answer do not bring a session back. */
const stillOnItsWay = 60_000

/** Who wants a reset waits for it: after half a minute they want to know that it failed. */
const triesOfReset = 3

const decisions = switchesOf('sim')

/**
 * Asks the gateway to end a session and keeps its answer. Rejects when it refused or did not answer, so that the job is tried again; the last
 * time it says that it gives up. Nothing is asked for a session that has ended since this was asked for, or whose SIM has service again.
 */
export async function cutSession(
  app: App,
  { account_id, session_id, was_closed = false, is_reset = false }: CutJob,
  waits = usualWaits
): Promise<void> {
  const found = await app.db
    .selectFrom('data_session as s')
    .leftJoin('sim', (join) => join.onRef('sim.account_id', '=', 's.account_id').onRef('sim.id', '=', 's.sim_id'))
    .innerJoin('gateway as g', 'g.id', 's.gateway_id')
    .select((eb) => eb.fn.coalesce('g.joined_into', 'g.id').as('gateway_id'))
    .select([
      's.acct_session_id',
      's.nas',
      's.imsi',
      's.ended_at',
      's.disconnect',
      's.heard_from',
      's.forbidden',
      'sim.state',
      'sim.blocks',
      sql<string | null>`${sql.raw(decisions.asset_off)}`.as('asset_off'),
      sql<string | null>`${sql.raw(decisions.account_suspended)}`.as('account_suspended'),
      sql<string | null>`${sql.raw(decisions.balance)}`.as('balance'),
      sql<string | null>`${sql.raw(decisions.pool_exhausted)}`.as('pool_exhausted'),
    ])
    .where('s.account_id', '=', account_id)
    .where('s.id', '=', session_id)
    .executeTakeFirst()
  if (!found) return
  const { state, blocks, ...decided } = found
  // One that has left its account has none.
  const has_service = state !== null && blocks !== null && found.forbidden === null && hasService({ ...decided, state, blocks })
  if ((found.ended_at && !was_closed) || (has_service && !is_reset)) return
  const at = app.clock.now()
  const before = found.disconnect
  const asked: DisconnectOutcome = {
    requested_at: before?.requested_at ?? at.toISOString(),
    answered_at: null,
    attempts: before?.attempts ?? 0,
    answer: null,
    words: 'Asked the gateway to end the session',
  }
  if (!found.ended_at) await keepAsked(app, { account_id, session_id }, asked, at)
  const sent_at = app.clock.now()
  const answer = await askEverywhere(await addressesOf(app, found), async ({ id, secret, ...to }) =>
    askToDisconnect(app, { gateway: { ...to, secret: decryptGatewaySecret(app.db, id, secret) }, session: found, at, waits })
  )
  // It is over, as we knew.
  if (found.ended_at && answer.answer === 'gone') return
  const ended_before = found.ended_at !== null
  const kept = {
    asked,
    before,
    answer,
    ended_before,
    forbidden: found.forbidden,
    sent_at,
    at: app.clock.now(),
    tries: has_service ? triesOfReset : mostTries,
  }
  const isSettled = await app.db.transaction().execute((tx) => keepAnswer(tx, { account_id, session_id }, kept))
  if (!isSettled) throw new Error(`The session was not cut: ${answer.words}`)
}

/** `secret` is as it is kept. */
type Address = Ask['gateway'] & { id: string }

/** Where a gateway takes Disconnect-Requests: first where its session was seen at. */
async function addressesOf({ db }: App, { gateway_id, heard_from }: { gateway_id: string; heard_from: string | null }): Promise<Address[]> {
  const rows = await db
    .selectFrom('gateway_address')
    .select(['id', 'address', 'coa_port as port', 'secret'])
    .where('gateway_id', '=', gateway_id)
    .orderBy('heard_at', (order) => order.desc().nullsLast())
    .orderBy('id')
    .execute()
  return rows.toSorted((a, b) => Number(b.address === heard_from) - Number(a.address === heard_from))
}

/**
 * Asks at one address after the other until one has ended the session. It is gone only where all say so: of a redundant pair, one may never have
 * known it.
 */
async function askEverywhere(
  addresses: readonly Address[],
  ask: (address: Address) => Promise<DisconnectAnswer>
): Promise<DisconnectAnswer> {
  let kept: DisconnectAnswer | undefined
  let sends = 0
  for (const address of addresses) {
    const answer = await ask(address).catch(() => notAsked(address))
    sends += answer.sends
    if (answer.answer === 'ack') return { ...answer, sends }
    if (!kept || rank[answer.answer] > rank[kept.answer]) kept = answer
  }
  return { ...(kept ?? { answer: 'timeout', words: 'The gateway has no address' }), sends }
}
/** A secret that cannot be decrypted, or not be used, silences its address alone. */
const notAsked = ({ address }: Address): DisconnectAnswer => ({
  answer: 'timeout',
  words: `${address} cannot be asked: its secret cannot be used`,
  sends: 0,
})
/** What stands where the addresses of a gateway disagree. */
const rank = { gone: 0, timeout: 1, nak: 2, ack: 3 }

/** A report that was on its way does not have it asked about once more. */
const keepAsked = ({ db }: Pick<App, 'db'>, { account_id, session_id }: SessionOf, disconnect: DisconnectOutcome, at: Date) =>
  db.transaction().execute((tx) =>
    tx
      .updateTable('data_session')
      .set({
        disconnect: JSON.stringify(disconnect),
        cut_asked_at: sql<Date | null>`case when cut_asked_at > ${new Date(at.getTime() - cutAgainAfter)} then cut_asked_at else ${at} end`,
      })
      .where('account_id', '=', account_id)
      .where('id', '=', session_id)
      .execute()
  )

type Answered = {
  asked: DisconnectOutcome
  before: DisconnectOutcome | null
  answer: DisconnectAnswer
  /** It had ended when the gateway was asked. */
  ended_before: boolean
  /** Why it was cut although its SIM has service. */
  forbidden: string | null
  sent_at: Date
  at: Date
  /** After so many it is given up. */
  tries: number
}

const givenUp = 'Given up'

/** False when the gateway is to be asked again. */
async function keepAnswer(
  tx: Tx,
  { account_id, session_id }: SessionOf,
  { asked, before, answer, ended_before, forbidden, sent_at, at, tries }: Answered
): Promise<boolean> {
  const session = await tx
    .selectFrom('data_session')
    .select(['sim_id', 'asset_id', 'ended_at', 'live_after', 'updated_at'])
    .where('account_id', '=', account_id)
    .where('id', '=', session_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { answer: kind, sends } = answer
  const attempts = asked.attempts + sends
  const isCut = kind === 'ack' || kind === 'gone'
  const given_up = !isCut && (await isLastTry(tx, session_id, tries))
  // Where it is tried anew because the session reports, and in vain again, that stays said.
  const was_given_up = kind === before?.answer && before.words.startsWith(givenUp)
  const words = given_up || was_given_up ? `${givenUp} after ${attempts} requests. ${answer.words}` : answer.words
  const answered_at = kind === 'timeout' ? null : at.toISOString()
  const outcome: DisconnectOutcome = { ...asked, answered_at, attempts, answer: kind, words }
  const { sim_id, asset_id } = session
  const sim = await tx
    .selectFrom('sim')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'sim.account_id').onRef('asset.id', '=', 'sim.asset_id'))
    .select(['sim.iccid', 'asset.name as asset_name'])
    .where('sim.account_id', '=', account_id)
    .where('sim.id', '=', sim_id)
    .executeTakeFirst()
  // Its stop may have come first, or never comes; then a later report shows that it goes on all the same. What is reported after its SIM left is nothing of it.
  const isOver = session.ended_at !== null && (session.live_after === null || !sim)
  const live_after = isOver ? session.live_after : new Date(at.getTime() + stillOnItsWay)
  const end =
    kind === 'ack' && ended_before
      ? { live_after }
      : kind === 'ack'
        ? { ended_at: session.ended_at ?? latest(at, session.updated_at), end_cause: 'Cut by Masthead', live_after }
        : kind === 'gone' && !session.ended_at
          ? { ended_at: session.updated_at, end_cause: 'Lost stop', live_after }
          : {}
  await tx
    .updateTable('data_session')
    .set({ disconnect: JSON.stringify(outcome), ...end })
    .where('account_id', '=', account_id)
    .where('id', '=', session_id)
    .execute()
  await keepDisconnect(tx, {
    account_id,
    sim_id,
    session_id,
    asked_at: sent_at,
    answered_at: answered_at === null ? null : at,
    answer: kind,
    words,
    attempts,
  })
  const [held] = await measureEnforcements(tx, { sims: [{ account_id, sim_id }], at })
  if (kind === before?.answer && (was_given_up || !given_up)) return isCut || given_up // said once
  // Whoever had a SIM is not notified of what becomes of it.
  if (!sim) return isCut || given_up
  const cut = { asset_id, ...sim, sim_id, session_id, answer: kind, words }
  await record(tx, systemActor(account_id, at), sessionCut, {
    ...cut,
    ...(held && { limit: held }),
    ...(forbidden && { forbidden }),
    ...(given_up && { given_up }),
  })
  return isCut || given_up
}

const latest = (a: Date, b: Date) => (a > b ? a : b)
