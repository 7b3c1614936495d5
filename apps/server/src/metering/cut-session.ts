import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { sessionCut } from '@masthead/contract/assets/events'
import { type DisconnectOutcome, hasService } from '@masthead/contract/assets/sim'
import { encodeRequest, replyFault } from '@masthead/radius/authenticator'
import { dictionary } from '@masthead/radius/dictionary'
import { type Packet, codes, decode, find } from '@masthead/radius/packet'
import { errorCauses, wordFor } from '@masthead/radius/words'
import { openGatewaySecret } from '../gateways/index.ts'
import { type App, type Db, type Tx, systemActor } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { measureEnforcements } from '../usage/index.ts'

/** Milliseconds to wait for an answer after each send of the same request. */
export const usualWaits: readonly number[] = [1000, 1500, 2000]

export type DisconnectAnswer = { answer: 'ack' | 'nak' | 'gone' | 'timeout'; words: string; sends: number }

type Ask = {
  gateway: { address: string; port: number; secret: string }
  session: { acct_session_id: string; nas: string; imsi: string | null }
  at: Date
  waits?: readonly number[]
}

/** Asks a gateway to end a session (RFC 5176 Disconnect-Request). Resolves with its answer, or `timeout`; never rejects. */
export function askToDisconnect({ gateway, session, at, waits = usualWaits }: Ask): Promise<DisconnectAnswer> {
  const secret = Buffer.from(gateway.secret)
  const { acct_session_id, nas, imsi } = session
  const request = encodeRequest(
    {
      code: codes.disconnect_request,
      identifier: randomInt(256),
      attributes: {
        ...(isIPv4(nas) ? { nas_ip: nas } : { nas_identifier: nas }),
        acct_session_id,
        ...(imsi && { imsi }),
        event_timestamp: Math.floor(at.getTime() / 1000),
      },
    },
    secret
  )
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(gateway.address) ? 'udp6' : 'udp4')
    let sends = 0
    let timer: NodeJS.Timeout | undefined
    const end = (answer: DisconnectAnswer['answer'], words: string) => {
      clearTimeout(timer)
      socket.close()
      resolve({ answer, words, sends })
    }
    const send = () => {
      const wait = waits[sends]
      if (wait === undefined) return end('timeout', `No answer from ${gateway.address}:${gateway.port}`)
      sends++
      socket.send(request, gateway.port, gateway.address, () => {}) // what cannot be sent is like what was lost
      timer = setTimeout(send, wait)
    }
    socket.on('error', () => {})
    socket.on('message', (datagram) => {
      const reply = decode(datagram)
      if (typeof reply === 'string' || reply.identifier !== request[1] || replyFault(reply, request.subarray(4, 20), secret)) return
      if (reply.code === codes.disconnect_ack) end('ack', 'Confirmed by the gateway')
      else if (reply.code === codes.disconnect_nak) refused(reply, end)
    })
    send()
  })
}

function refused(reply: Packet, end: (answer: 'nak' | 'gone', words: string) => void) {
  const cause = find(reply, dictionary.error_cause)
  if (cause === 503) end('gone', 'The gateway no longer knows the session')
  else end('nak', cause === null ? 'Refused without a reason' : `${sentence(wordFor(errorCauses, cause, 'error cause'))} (${cause})`)
}

const sentence = (words: string) => words[0]!.toUpperCase() + words.slice(1).replace(/ \(\d+\)$/, '')

type SessionOf = { account_id: string; session_id: string }

/** Tried again after 3 s, 7 s, 20 s, … up to some four hours in all. */
const mostAttempts = 10

/** Sees to it that every open session of a SIM is cut. Safe to repeat: a session has one job. */
export async function cutSessionsOf({ db }: App, account_id: string, sim_id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const open = await openSessionsOf(tx, account_id, sim_id)
    if (open.length === 0) await measureEnforcements(tx, { sim: { account_id, sim_id } })
    await addCuts(
      tx,
      open.map(({ id }) => ({ account_id, id }))
    )
  })
}

/** Has sessions cut once the transaction commits. */
export async function addCuts(tx: Tx, sessions: readonly { account_id: string; id: string }[]): Promise<void> {
  const [accounts, ids] = [sessions.map((each) => each.account_id), sessions.map((each) => each.id)]
  await sql`select graphile_worker.add_job('cut_session', json_build_object('account_id', k.account_id, 'session_id', k.id),
      max_attempts => ${mostAttempts}::int, job_key => 'cut_session:' || k.id)
    from unnest(${accounts}::text[], ${ids}::text[]) as k(account_id, id)`.execute(tx)
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
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 's.account_id').onRef('sim.id', '=', 's.sim_id'))
    .select(['s.acct_session_id', 's.nas', 's.imsi', 's.ended_at', 's.disconnect', 'sim.state', 'sim.blocks'])
    .select('s.gateway_id')
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
  const answer = await askAddresses(await addressesOf(app.db, found.gateway_id), { session: found, at, waits })
  await app.db.transaction().execute((tx) => keepAnswer(tx, { account_id, session_id }, { asked, before, answer, at: app.clock.now() }))
  if (answer.answer === 'nak' || answer.answer === 'timeout') throw new Error(`The session was not cut: ${answer.words}`)
}

/** Where a gateway takes Disconnect-Requests: first where it was last heard from. */
const addressesOf = (db: Db, gateway_id: string) =>
  db
    .selectFrom('gateway_address')
    .select(['id', 'address', 'coa_port as port', 'secret'])
    .where('gateway_id', '=', gateway_id)
    .orderBy('heard_at', (order) => order.desc().nullsLast())
    .orderBy('id')
    .execute()

/** Asks one after the other until one ends the session or refuses to; `gone` is what all of them say. */
async function askAddresses(addresses: Awaited<ReturnType<typeof addressesOf>>, ask: Omit<Ask, 'gateway'>): Promise<DisconnectAnswer> {
  let [told, sends]: [DisconnectAnswer | null, number] = [null, 0]
  for (const { id, secret, ...address } of addresses) {
    const next = await askToDisconnect({ ...ask, gateway: { ...address, secret: openGatewaySecret(id, secret) } })
    sends += next.sends
    if (told?.answer !== 'timeout' || next.answer !== 'gone') told = next
    if (next.answer === 'ack' || next.answer === 'nak') break
  }
  return { ...told!, sends }
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
  const { sim_id, asset_id } = session
  const [held] = await measureEnforcements(tx, { sim: { account_id, sim_id }, at })
  if (kind === before?.answer) return // said once
  const { iccid, asset_name } = await tx
    .selectFrom('sim')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'sim.account_id').onRef('asset.id', '=', 'sim.asset_id'))
    .select(['sim.iccid', 'asset.name as asset_name'])
    .where('sim.account_id', '=', account_id)
    .where('sim.id', '=', sim_id)
    .executeTakeFirstOrThrow()
  const cut = { asset_id, asset_name, sim_id, iccid, session_id, answer: kind, words }
  await record(tx, systemActor(account_id, at), sessionCut, { ...cut, ...(held && { limit: held }) })
}
