import type { FastifyRequest } from 'fastify'
import { prove as proveOperation, type PersonSession } from '@masthead/contract/account/security-operations'
import { sessionEnded, sessionsEnded } from '@masthead/contract/auth/events'
import type { Proof } from '@masthead/contract/auth/proof'
import { personUnknown } from '@masthead/contract/backoffice/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { closeSessionNamed, closeSessionsOf, proofCounts, requireFreshProof, requireRecentProof, unusedSince } from '../auth/index.ts'
import { notifySecurity, withdrawSecrets } from '../factors/index.ts'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'
import { deviceWords } from './device-words.ts'

type Visit = { app: App; request: FastifyRequest; actor: Actor }

/** Where a person is signed in: this session first, then by when they were last used. */
export async function listSessions(
  { db, config }: Pick<App, 'db' | 'config'>,
  { person_id, session_id, at }: Actor
): Promise<{ items: PersonSession[] }> {
  const rows = await db
    .selectFrom('session')
    .leftJoin('person as owner', 'owner.account_id', 'session.acting_as')
    .select(['session.id', 'session.ip', 'session.user_agent', 'session.created_at', 'session.seen_at', 'owner.email as acting_as'])
    .where('session.person_id', '=', person_id)
    .where('session.expires_at', '>', at)
    .where('session.seen_at', '>', unusedSince({ config }, at))
    .orderBy('session.seen_at', 'desc')
    .orderBy('session.id')
    .execute()
  const items = rows.map(({ user_agent, created_at, seen_at, ...row }) => ({
    ...row,
    device: deviceWords(user_agent),
    created_at: created_at.toISOString(),
    seen_at: seen_at.toISOString(),
    this_one: row.id === session_id,
  }))
  return { items: items.toSorted((a, b) => Number(b.this_one) - Number(a.this_one)) }
}

/** Proves anew who somebody is, for what they do in the next minutes. Throws what the proof throws. */
export async function prove({ body, ...visit }: Visit & { body: Proof }): Promise<{ proved_until: string }> {
  const { app, request, actor } = visit
  const spend = await requireFreshProof(visit, body)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, proveOperation, async () => {
      await spend(tx)
      return { proved_until: new Date(actor.at.getTime() + proofCounts).toISOString() }
    })
  )
}

/** Signs out one session, this one too, which takes no proof. Throws not_found or proof_needed. */
export async function removeSession(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (id !== actor.session_id) await requireRecentProof(tx, actor)
  const session = await closeSessionNamed(tx, actor.person_id, id)
  if (!session) throw new Problem(notFound)
  await notifySecurity(tx, actor, sessionEnded, { device: deviceWords(session.user_agent) })
}

/** Signs out everywhere but here; stays in the backoffice end too. Throws proof_needed. */
export async function endOtherSessions(tx: Tx, actor: Actor): Promise<{ ended: number }> {
  await requireRecentProof(tx, actor)
  const ended = await closeSessionsOf(tx, actor.person_id, { at: actor.at, kept: actor.session_id ?? '' })
  if (ended > 0)
    await notifySecurity(tx, actor, sessionsEnded, { count: ended }, `You were signed out everywhere else: ${ended} sessions ended.`)
  return { ended }
}

/**
 * Whoever runs the installation signs somebody out everywhere, or everybody (`email` null). Sign-ins half done end too. Answers how many
 * sessions there were. Throws person_unknown.
 */
export async function signOutPeople(tx: Tx, actor: Actor, email: string | null): Promise<number> {
  const people = await tx
    .selectFrom('person')
    .select('id')
    .$if(email !== null, (all) => all.where('email', '=', email!))
    .execute()
  if (email !== null && people.length === 0) throw new Problem(personUnknown, `Nobody is registered with the e-mail ${email}`)
  let count = 0
  for (const { id } of people) {
    await withdrawSecrets(tx, id, ['second_step'])
    const ended = await closeSessionsOf(tx, id, { at: actor.at })
    if (ended > 0) await notifySecurity(tx, { ...actor, person_id: id }, sessionsEnded, { count: ended })
    count += ended
  }
  return count
}
