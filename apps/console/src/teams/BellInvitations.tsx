import { useQuery } from '@tanstack/react-query'
import { listInvitations } from '@masthead/contract/teams/operations'
import { Link, useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { InvitationAnswer } from './InvitationAnswer.tsx'

/** The pending invitations under the bell, each with its answer; what they permit is on their screen. */
export function BellInvitations({ close }: { close: () => void }) {
  const { data, error, refetch } = useQuery(q(listInvitations, {}))
  const byLink = useSearchParams()[0].has('proof')
  if (error && !data) return <ErrorState title="Your invitations could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div className="p-3">
        <SkeletonLines lines={2} />
      </div>
    )
  const denied = data.email_proven || byLink ? null : 'Your e-mail address is not confirmed'
  return (
    <ul className="divide-y divide-line" aria-label="Invitations">
      {data.items.map((invitation) => (
        <li key={invitation.email} className="grid gap-2 px-3 py-2">
          <div className="min-w-0">
            <span className="block truncate font-medium">{invitation.team_name}</span>
            <span className="block text-xs wrap-anywhere text-fg-3">{invitation.invited_by} invited you to the team</span>
          </div>
          <InvitationAnswer invitation={invitation} denied={denied} size="small" />
          <Link to="/notifications?tab=invitations" onClick={close} className="link w-fit text-xs">
            {denied ? `${denied}. What to do` : 'What you may do there'}
          </Link>
        </li>
      ))}
    </ul>
  )
}
