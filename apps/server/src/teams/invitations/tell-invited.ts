import { invitationReceived, invitationWithdrawn } from '@masthead/contract/teams/events'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob, task } from '../../kernel/jobs/jobs.ts'
import { findPerson, type Owner } from '../team-queries.ts'
import { teamWords, tellPerson } from '../tell-person.ts'

const kinds = { received: invitationReceived, withdrawn: invitationWithdrawn }

type Told = { email: string; what: keyof typeof kinds; words: ReturnType<typeof teamWords>; actor: Omit<Actor, 'at'>; at: string }

/**
 * Tells who is invited, where they have an account, what became of it. Nobody is looked up before the answer: the same work whether the
 * address is somebody's or not, so that time does not tell whoever invites.
 */
export async function tellInvited(tx: Tx, { at, ...actor }: Actor, owner: Owner, email: string, what: Told['what']): Promise<void> {
  await addJob(tx, tellWhoIsInvited.name, { email, what, words: teamWords(owner), actor, at: at.toISOString() } satisfies Told)
}

export const tellWhoIsInvited = task('teams.tell_invited', async ({ db }, { email, what, words, actor, at }: Told) => {
  await db.transaction().execute(async (tx) => {
    const person = await findPerson(tx, email)
    if (person) await tellPerson(tx, { ...actor, at: new Date(at) }, person, kinds[what], words)
  })
})
