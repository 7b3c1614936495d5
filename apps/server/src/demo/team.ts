import { newId } from '@masthead/contract/kernel/id'
import { presets } from '@masthead/contract/teams/presets'
import { invitationDays } from '@masthead/contract/teams/team'
import type { Tx } from '../kernel/app.ts'
import { invitationMail } from '../teams/index.ts'
import { operatorPermissions, ownerEmail, type writePeople } from './people.ts'

const day = 86_400_000
const [, operator, billing, reader] = presets.map((preset) => [...preset.permissions])

/** Who works on whose account: the operator on the owner's, limited to a tag; two more are invited there. The operator has a small team too. */
export async function writeTeam(
  tx: Tx,
  ids: Awaited<ReturnType<typeof writePeople>>,
  tags: readonly { id: string; name: string }[],
  now: Date
): Promise<void> {
  const { account_id } = ids[ownerEmail]
  const tag = (wanted: string) => tags.find(({ name }) => name === wanted)!.id
  const member = (email: keyof typeof ids, permissions: string[], daysAgo: number) => ({
    person_id: ids[email].person_id,
    permissions,
    created_at: new Date(now.getTime() - (daysAgo - 1) * day),
    invited_at: new Date(now.getTime() - daysAgo * day),
  })
  await tx
    .insertInto('membership')
    .values([
      { account_id, ...member('operator@demo.test', operatorPermissions, 90), tags: [tag('cold-chain')], invited_by: ownerEmail },
      { account_id: ids['operator@demo.test'].account_id, ...member('invited@demo.test', reader!, 40), invited_by: 'operator@demo.test' },
    ])
    .execute()
  await invite(tx, account_id, { email: 'invited@demo.test', permissions: operator!, tags: [], tag_names: null }, now)
  const accounting = { email: 'accounting@demo.test', permissions: billing!, tags: [tag('marine')], tag_names: ['marine'] }
  await invite(tx, account_id, accounting, new Date(now.getTime() - 2 * day))
}

type Invited = { email: string; permissions: string[]; tags: string[]; tag_names: string[] | null }

/** An invitation and its mail in the outbox. It is not handed to a mail server: nobody in the demo has a mailbox. */
async function invite(tx: Tx, account_id: string, { tag_names, ...granted }: Invited, at: Date) {
  const expires_at = new Date(at.getTime() + invitationDays * day)
  await tx
    .insertInto('invitation')
    .values({ account_id, ...granted, invited_by: ownerEmail, created_at: at, expires_at })
    .execute()
  const { to, subject, text } = invitationMail({ ...granted, inviter: ownerEmail, team_name: 'Acme Telemetry', tag_names, expires_at })
  await tx
    .insertInto('mail')
    .values({ id: newId('mail', at.getTime()), to_email: to, subject, text, created_at: at })
    .execute()
}
