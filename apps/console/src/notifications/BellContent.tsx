import { useQuery } from '@tanstack/react-query'
import { getSummary } from '@masthead/contract/notifications/operations'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { BellInvitations } from '../teams/index.ts'
import { SeverityBadge } from './alert-columns.tsx'

/** What the bell opens: who waits for an answer, how many alerts are open, and the way to all of it. */
export function BellContent({ close }: { close: () => void }) {
  const pending = useSession((session) => session.user?.pending_invitations_from ?? [])
  const { data, isError } = useQuery(q(getSummary, {}))
  const open = data ? (['critical', 'warn', 'info'] as const).filter((severity) => data.open[severity] > 0) : []
  return (
    <>
      <h2 className="border-b border-line px-3 py-2 font-semibold">Invitations</h2>
      {pending.length === 0 ? <p className="px-3 py-3 text-fg-2">You have no pending invitations.</p> : <BellInvitations close={close} />}
      <h2 className="border-y border-line px-3 py-2 font-semibold">Alerts</h2>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-3 text-fg-2">
        {open.map((severity) => (
          <span key={severity} className="inline-flex items-center gap-1.5">
            <SeverityBadge severity={severity} /> {data!.open[severity]} open
          </span>
        ))}
        {data && open.length === 0 && 'No alert is open.'}
        {!data && (isError ? 'They could not be counted.' : 'Counting …')}
      </p>
      <Link
        to="/notifications"
        onClick={close}
        className="block border-t border-line px-3 py-2 font-medium hover:bg-hover focus-visible:-outline-offset-2"
      >
        All notifications
      </Link>
    </>
  )
}
