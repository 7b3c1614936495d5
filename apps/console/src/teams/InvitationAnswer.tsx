import { approveInvitation, rejectInvitation } from '@masthead/contract/teams/operations'
import type { Invitation } from '@masthead/contract/teams/team'
import { useSearchParams } from 'react-router'
import { useOperation } from '../api/query.ts'
import { refreshUser } from '../api/session.ts'
import { Button, type ButtonSize } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { plain, toast } from '../ui/toast.ts'

/** Accept and Decline of an invitation, for `row` to place; why it failed comes below. `denied`: why one cannot accept it, in words. */
export function InvitationAnswer({
  invitation: { email, team_name },
  denied,
  size = 'medium',
  children,
}: {
  invitation: Pick<Invitation, 'email' | 'team_name'>
  denied: string | null
  size?: ButtonSize
  children?: (buttons: React.ReactNode) => React.ReactNode
}) {
  const approve = useOperation(approveInvitation)
  const reject = useOperation(rejectInvitation)
  const [params, setParams] = useSearchParams()
  const proof = params.get('proof')
  const body = { inviter_email: email }
  const failure = approve.error ?? reject.error
  // The bell and the selector of teams are made of who one is.
  const answered = (said: string) => {
    toast.success(said)
    void refreshUser()
    // Else the empty list would say that the link is of no use, to somebody who has just used it.
    const { proof: _, ...others } = Object.fromEntries(params)
    if (proof) setParams(others, { replace: true })
  }
  // Why it failed stands below. By then an answered one may be gone from the list, and this with it: hence no callback of the mutation's.
  const shown = () => {}
  const buttons = (
    <div className="flex gap-2">
      <Button
        size={size}
        aria-label={`Decline the invitation to ${team_name}`}
        loading={reject.isPending}
        disabled={approve.isPending}
        onClick={() => void reject.mutateAsync({ body }).then(() => answered(`Declined the invitation to ${plain(team_name)}`), shown)}
      >
        Decline
      </Button>
      <Button
        size={size}
        color="success"
        aria-label={`Accept the invitation to ${team_name}`}
        loading={approve.isPending}
        disabled={denied ?? reject.isPending}
        onClick={() =>
          void approve
            .mutateAsync({ body: { ...body, ...(proof && { proof }) } })
            .then(() => answered(`You are in the team ${plain(team_name)}. Switch to it in the bar at the top.`), shown)
        }
      >
        Accept
      </Button>
    </div>
  )
  return (
    <>
      {children ? children(buttons) : buttons}
      {failure && <FailureNotice of={failure} />}
    </>
  )
}
