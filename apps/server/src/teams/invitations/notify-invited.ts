import { invitationReceived, invitationWithdrawn } from '@masthead/contract/teams/events'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob, task } from '../../kernel/jobs/jobs.ts'
import { findPerson, type Owner } from '../team-queries.ts'
import { teamWords, notifyPerson } from '../notify-person.ts'

const kinds = { received: invitationReceived, withdrawn: invitationWithdrawn }

type Notice = { email: string; what: keyof typeof kinds; words: ReturnType<typeof teamWords>; actor: Omit<Actor, 'at'>; at: string }

/**
 * Notifies an invited person who has an account of what became of the invitation. Nobody is looked up before the answer: the same work whether the
 * address is somebody's or not, so that the time it takes says nothing to the inviter.
 */
export async function notifyInvited(tx: Tx, { at, ...actor }: Actor, owner: Owner, email: string, what: Notice['what']): Promise<void> {
  await addJob(tx, notifyWhoIsInvited.name, { email, what, words: teamWords(owner), actor, at: at.toISOString() } satisfies Notice)
}

export const notifyWhoIsInvited = task('teams.tell_invited', async ({ db }, { email, what, words, actor, at }: Notice) => {
  await db.transaction().execute(async (tx) => {
    const person = await findPerson(tx, email)
    if (person) await notifyPerson(tx, { ...actor, at: new Date(at) }, person, kinds[what], words)
  })
})
