import { useQuery } from '@tanstack/react-query'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { listInvitations } from '@masthead/contract/teams/operations'
import type { Invitation } from '@masthead/contract/teams/team'
import { Mail } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { settings } from '../api/settings.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { InvitationAnswer } from './InvitationAnswer.tsx'
import { inWords, seenWords } from './rights-words.tsx'

/** Invitations waiting for the answer of whoever is signed in. */
export function InvitationList() {
  const { data, error, refetch } = useQuery(q(listInvitations, {}))
  const own = useSession((session) => session.user?.email)
  const byLink = useSearchParams()[0].has('proof')
  if (error && !data) return <ErrorState title="Your invitations could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={4} />
  if (data.items.length === 0)
    return (
      <EmptyState icon={Mail} title="You have no pending invitations">
        {byLink
          ? `This invitation was answered, revoked or has expired, or it is for somebody else: you are signed in as ${own}. Ask whoever invited you for a new one, or sign in with the address that it was sent to.`
          : 'When somebody invites you to their team, you accept or decline here.'}
      </EmptyState>
    )
  const denied = data.email_proven || byLink ? null : 'Your e-mail address is not confirmed'
  return (
    <div className="grid gap-4">
      {denied && (
        <Notice tone="warn">
          You cannot accept, because <b className="font-medium wrap-anywhere">{own}</b> is not confirmed. <WayToProve />
        </Notice>
      )}
      <ul className="divide-y divide-line overflow-clip rounded-lg border border-line" aria-label="Invitations">
        {data.items.map((invitation) => (
          <InvitationRow key={invitation.email} invitation={invitation} denied={denied} />
        ))}
      </ul>
    </div>
  )
}

/** What to do about it. */
const WayToProve = () =>
  settings.mail === false ? (
    <>
      Ask the person who invited you for the invitation link, and open it here
      {settings.identity && `, or sign in with ${settings.identity.name}`}.
    </>
  ) : (
    <>
      Open the link in the invitation e-mail, or have a confirmation link mailed on{' '}
      <Link className="link" to="/profile">
        your profile
      </Link>
      .
    </>
  )

function InvitationRow({ invitation, denied }: { invitation: Invitation; denied: string | null }) {
  const { email, team_name, invited_by, permissions, expires_at } = invitation
  const words = inWords(permissions)
  return (
    <li className="grid gap-3 p-4">
      <InvitationAnswer invitation={invitation} denied={denied}>
        {(buttons) => (
          <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
            <div className="min-w-0 flex-1 basis-64">
              <h3 className="font-semibold wrap-anywhere">{team_name}</h3>
              <p className="text-fg-2 wrap-anywhere">
                {invited_by === email ? `${email} invites you` : `${invited_by} invites you to the account of ${email}`}
              </p>
            </div>
            {buttons}
          </div>
        )}
      </InvitationAnswer>
      <div className="text-fg-2">
        {words.length === 0 ? (
          <p>Your permissions there are decided later.</p>
        ) : (
          <details>
            <summary className="w-fit cursor-pointer">
              You get {words.length} {words.length === 1 ? 'permission' : 'permissions'} there. {seenWords(invitation)}
            </summary>
            <ul className="mt-2 grid list-disc gap-1 pl-4 @sm:grid-cols-2">
              {words.map((word) => (
                <li key={word}>{word}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <p className="text-xs text-fg-3">
        Expires <RelativeTime at={expires_at} /> <span className="sr-only">({formatExactHere(expires_at)})</span>
      </p>
    </li>
  )
}
