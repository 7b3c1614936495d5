import { deleteInvitation, makeInvitationLink, removeMember, resendInvitation, updateInvitation } from '@masthead/contract/teams/operations'
import type { Team, TeamInvitation, TeamMember } from '@masthead/contract/teams/team'
import { CalendarSync, Link2, Pencil, Send, UserMinus, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { useOperation } from '../api/query.ts'
import { settings } from '../api/settings.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { copyText } from '../ui/copy.ts'
import type { MenuItem } from '../ui/Menu.tsx'
import { plain, toast } from '../ui/toast.ts'
import { InvitationLink } from './InvitationLink.tsx'
import { MemberForm } from './MemberForm.tsx'
import type { TeamRow } from './team-rows.tsx'

type Doing = { what: 'change' | 'remove' | 'revoke' | 'link'; of: TeamMember | TeamInvitation }

/** Where no mail is sent, an invitation goes on by being renewed, and a link is handed over. */
const noMail = settings.mail === false

/** What can be done with a row of the team: the items of its menu, and the dialog of the one that was chosen. */
export function useTeamActions(team: Team | undefined): { items: (row: TeamRow) => MenuItem[]; dialog: ReactNode } {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const resend = useOperation(resendInvitation)
  const link = useHref('/notifications?tab=invitations')
  const close = () => setDoing(null)
  const items = (row: TeamRow): MenuItem[] => {
    if (row.kind === 'owner') return []
    const { of } = row
    const refused = (operation: Parameters<typeof denied>[0]) => denied(operation) ?? of.fixed
    const change: MenuItem = {
      label: 'Change permissions',
      icon: Pencil,
      onSelect: () => setDoing({ what: 'change', of }),
      disabled: refused(updateInvitation),
    }
    if (row.kind === 'member')
      return [
        change,
        { separator: true },
        {
          label: 'Remove from the team',
          icon: UserMinus,
          danger: true,
          onSelect: () => setDoing({ what: 'remove', of }),
          disabled: refused(removeMember),
        },
      ]
    return [
      change,
      {
        label: noMail ? 'Renew for seven days' : 'Send again',
        icon: noMail ? CalendarSync : Send,
        disabled: refused(resendInvitation),
        onSelect: () =>
          resend.mutate(
            { body: { email: of.email } },
            {
              onSuccess: () =>
                toast.success(
                  noMail
                    ? `The invitation of ${plain(of.email)} is valid for seven days from now`
                    : `Sent the invitation of ${plain(of.email)} again`
                ),
              onError: (failure) => toast.failure(failure, { title: noMail ? 'Not renewed' : 'Not sent' }),
            }
          ),
      },
      noMail
        ? {
            label: 'Create invitation link',
            icon: Link2,
            disabled: refused(makeInvitationLink) ?? (row.of.expired ? 'The invitation has expired: renew it first' : null),
            onSelect: () => setDoing({ what: 'link', of }),
          }
        : { label: 'Copy invitation link', icon: Link2, onSelect: () => void copyText(new URL(link, location.href).href) },
      { separator: true },
      {
        label: 'Revoke',
        icon: Undo2,
        danger: true,
        onSelect: () => setDoing({ what: 'revoke', of }),
        disabled: refused(deleteInvitation),
      },
    ]
  }
  const dialog = doing && team && (
    <>
      {doing.what === 'change' && <MemberForm team={team} of={doing.of} onClose={close} />}
      {doing.what === 'link' && <InvitationLink email={doing.of.email} onClose={close} />}
      {doing.what === 'remove' && <RemoveMember email={doing.of.email} onClose={close} />}
      {doing.what === 'revoke' && <RevokeInvitation email={doing.of.email} onClose={close} />}
    </>
  )
  return { items, dialog }
}

function RemoveMember({ email, onClose }: { email: string; onClose: () => void }) {
  const mutation = useOperation(removeMember)
  return (
    <Confirm
      open
      onClose={onClose}
      title="Remove from the team?"
      confirm="Remove"
      color="danger"
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={() =>
        mutation.mutate(
          { params: { member_email: email } },
          {
            onSuccess: () => {
              onClose()
              toast.success(`Removed ${plain(email)} from the team`)
            },
          }
        )
      }
    >
      <p>
        <b className="font-medium text-fg wrap-anywhere">{email}</b> loses access to this account at once, and invitations that they sent
        are revoked.
      </p>
      <p>Their activities stay on record. You can invite them again.</p>
    </Confirm>
  )
}

function RevokeInvitation({ email, onClose }: { email: string; onClose: () => void }) {
  const mutation = useOperation(deleteInvitation)
  return (
    <Confirm
      open
      onClose={onClose}
      title="Revoke the invitation?"
      confirm="Revoke"
      color="danger"
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={() =>
        mutation.mutate(
          { params: { invited_email: email } },
          {
            onSuccess: () => {
              onClose()
              toast.success(`Revoked the invitation of ${plain(email)}`)
            },
          }
        )
      }
    >
      <p>
        <b className="font-medium text-fg wrap-anywhere">{email}</b> can no longer accept it. {noMail ? 'A link' : 'The e-mail'} they got
        stops working.
      </p>
    </Confirm>
  )
}
