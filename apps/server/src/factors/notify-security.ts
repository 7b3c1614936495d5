import { nameChanged, passkeyAdded, passkeyRemoved, secondFactorOff, secondFactorOn } from '@masthead/contract/auth/events'
import type { EventKind } from '@masthead/contract/kernel/event'
import { peopleChanged } from '@masthead/contract/signals'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../kernel/app.ts'
import { publish } from '../kernel/live/publish.ts'
import { queueMail } from '../kernel/mail/mail.ts'
import { record } from '../kernel/record.ts'

/** What a team shows of its people. */
const shownByTeams = new Set([nameChanged, passkeyAdded, passkeyRemoved, secondFactorOff, secondFactorOn].map(({ name }) => name))

/**
 * Says in the activities of a person's own account, and by mail to the person, that the way they sign in has changed. `words` is the mail's
 * first sentence; without it no mail is sent. The open consoles of their teams are notified, without saying of what.
 */
export async function notifySecurity<Detail extends z.ZodMiniType>(
  tx: Tx,
  actor: Actor,
  kind: EventKind<Detail>,
  detail: z.output<Detail>,
  words?: string,
  to = actor.email
): Promise<void> {
  const { account_id, timezone } = await tx
    .selectFrom('person')
    .innerJoin('account', 'account.id', 'person.account_id')
    .select(['person.account_id', 'account.timezone'])
    .where('person.id', '=', actor.person_id)
    .executeTakeFirstOrThrow()
  await record(tx, { ...actor, account_id }, kind, detail)
  if (shownByTeams.has(kind.name)) {
    const teams = await tx.selectFrom('membership').select('account_id').where('person_id', '=', actor.person_id).execute()
    await publish(
      tx,
      teams.map((team) => team.account_id),
      peopleChanged
    )
  }
  if (words) await queueMail(tx, { to, subject: 'The security of your Masthead account', text: noticeOf(words, actor, timezone) }, actor.at)
}

/** A notice with when and from where, and what to do if it was somebody else. */
export const noticeOf = (words: string, { at, ip }: Pick<Actor, 'at' | 'ip'>, timezone = 'UTC') =>
  [
    words,
    `When: ${timeIn(at, timezone)}${ip ? `\nFrom the address: ${ip}` : ''}`,
    'If this was you, there is nothing to do. If not, set a new password and sign out everywhere else at once:\n{console}/profile',
    'If you can no longer sign in, request a link to set a new password:\n{console}/forgot-password',
  ].join('\n\n')

const timeIn = (at: Date, timeZone: string) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)} (${timeZone})`
