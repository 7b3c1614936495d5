import { sql } from 'kysely'
import { Problem } from '@masthead/contract/kernel/problem'
import { memberUpdated, teamRightsChanged } from '@masthead/contract/teams/events'
import { getTeam } from '@masthead/contract/teams/operations'
import { tagLimitsMembers } from '@masthead/contract/teams/problems'
import { actorMay, type Actor, type Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { endStreams } from '../kernel/live/streams.ts'
import { lockTeam, tagNames } from './team-queries.ts'
import { teamWords, notifyPerson } from './notify-person.ts'

/**
 * Takes a tag that is to be deleted out of what members and invited people may see; they then see less, never more.
 * Throws tag_limits_members when it is all that somebody is limited to: nothing, or everything, would be left. Call it while the tag is there.
 */
export async function forgetTag(tx: Tx, actor: Actor, tag: { id: string; name: string }): Promise<void> {
  const owner = await lockTeam(tx, actor.account_id)
  const { account_id } = owner
  const members = await tx
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select(['person.id', 'person.account_id', 'person.email', 'membership.permissions', 'membership.tags'])
    .where('membership.account_id', '=', account_id)
    .where(sql<boolean>`${tag.id} = any (membership.tags)`)
    .orderBy('person.email')
    .execute()
  const invitations = await tx
    .selectFrom('invitation')
    .select(['email', 'tags'])
    .where('account_id', '=', account_id)
    .where(sql<boolean>`${tag.id} = any (tags)`)
    .orderBy('email')
    .execute()
  const limited = [...members, ...invitations].filter(({ tags }) => tags.every((id) => id === tag.id)).map(({ email }) => email)
  if (limited.length > 0) throw new Problem(tagLimitsMembers, refusal(actor, tag.name, limited))
  for (const { id, email, permissions, tags, ...person } of members) {
    const left = tags.filter((one) => one !== tag.id)
    await tx.updateTable('membership').set({ tags: left }).where('account_id', '=', account_id).where('person_id', '=', id).execute()
    const granted = { permissions, tags: await tagNames(tx, account_id, left) }
    const old = { old_permissions: permissions, old_tags: await tagNames(tx, account_id, tags) }
    await record(tx, actor, memberUpdated, { updated_member: email, ...granted, ...old })
    await notifyPerson(tx, actor, { id, ...person }, teamRightsChanged, { ...teamWords(owner), ...granted })
    await endStreams(tx, { person_id: id, account_id })
  }
  await sql`update invitation set tags = array_remove(tags, ${tag.id}) where account_id = ${account_id} and ${tag.id} = any (tags)`.execute(
    tx
  )
}

function refusal(actor: Actor, name: string, emails: readonly string[]): string {
  const shown = actorMay(actor, getTeam.access) ? emails.slice(0, 5) : []
  const more = emails.length - shown.length
  const people = shown.length > 0 ? [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ') : `${more} of the team`
  return `Not deleted: ${people} ${emails.length === 1 ? 'is' : 'are'} limited to the tag “${name}” alone. Give them another tag, or all assets, first`
}
