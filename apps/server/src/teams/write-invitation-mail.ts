import { formatExact } from '@masthead/contract/kernel/time'
import { permissions, type Permission } from '@masthead/contract/kernel/permission'
import type { Tx } from '../kernel/app.ts'
import { consolePlace, queueMail } from '../kernel/mail.ts'

type Invited = {
  email: string
  inviter: string
  team_name: string
  permissions: readonly string[]
  tag_names: readonly string[] | null
  expires_at: Date
}

/** Tells an invited person where to answer. It is the same mail whether they have an account or not. */
export async function writeInvitationMail(tx: Tx, invited: Invited, at: Date): Promise<void> {
  const { email, inviter, team_name, tag_names, expires_at } = invited
  const may = invited.permissions.map((name) => `- ${permissions[name as Permission]}`)
  const register = `${consolePlace}/login?mode=register&email=${encodeURIComponent(email)}&redirect=%2Fnotifications`
  const lines = [
    `${inviter} invites you to work on the account of ${team_name}.`,
    '',
    ...(may.length > 0 ? ['There you may:', ...may] : ['What you may do there will be decided later.']),
    ...(tag_names
      ? ['', `You see the assets with ${tag_names.length === 1 ? 'the tag' : 'one of the tags'} ${tag_names.join(', ')}.`]
      : []),
    '',
    `Accept or decline until ${formatExact(expires_at.toISOString())}:`,
    `${consolePlace}/notifications`,
    '',
    `You have no account here yet? Open one with this e-mail address, ${email}:`,
    register,
    '',
    `If you do not know ${inviter}, do nothing: without your answer nothing happens.`,
  ]
  await queueMail(tx, { to: email, subject: `${inviter} invites you to the team ${team_name}`, text: lines.join('\n') }, at)
}
