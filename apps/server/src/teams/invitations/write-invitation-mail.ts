import { formatExact } from '@masthead/contract/kernel/time'
import { permissions, type Permission } from '@masthead/contract/kernel/permission'
import type { Tx } from '../../kernel/app.ts'
import { consolePlace, queueMail } from '../../kernel/mail/mail.ts'

type Invited = {
  email: string
  inviter: string
  team_name: string
  permissions: readonly string[]
  tag_names: readonly string[] | null
  expires_at: Date
  /** The secret of the link. */
  proof?: string | undefined
}

/** Where invitations are answered in the console. */
export const answerPlace = (proof: string | undefined) => `/notifications?tab=invitations${proof ? `&proof=${proof}` : ''}`

/** Writes to an invited person where to answer. */
export const writeInvitationMail = (tx: Tx, invited: Invited, at: Date): Promise<void> => queueMail(tx, invitationMail(invited), at)

/** The mail of an invitation. It is the same whether the person has an account or not. */
export function invitationMail(invited: Invited): { to: string; subject: string; text: string } {
  const { email, inviter, team_name, tag_names, expires_at } = invited
  const may = invited.permissions.map((name) => `- ${permissions[name as Permission]}`)
  const register = `${consolePlace}/login?mode=register&email=${encodeURIComponent(email)}&redirect=${encodeURIComponent(answerPlace(invited.proof))}`
  const lines = [
    `${inviter} invites you to work on the account of ${team_name}.`,
    '',
    ...(may.length > 0 ? ['Your permissions there:', ...may] : ['Your permissions there will be decided later.']),
    ...(tag_names
      ? ['', `You see the assets with ${tag_names.length === 1 ? 'the tag' : 'one of the tags'} ${tag_names.join(', ')}.`]
      : []),
    '',
    `Accept or decline until ${formatExact(expires_at.toISOString())}:`,
    `${consolePlace}${answerPlace(invited.proof)}`,
    '',
    `You have no account here yet? Create one with this e-mail address, ${email}:`,
    register,
    '',
    `If you do not know ${inviter}, ignore this e-mail: without your answer nothing happens.`,
  ]
  return { to: email, subject: `${inviter} invites you to the team ${team_name}`, text: lines.join('\n') }
}
