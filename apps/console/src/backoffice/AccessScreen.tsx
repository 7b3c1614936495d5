import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { backofficeRedirect } from '../api/redirect.ts'
import { useHasDrafts } from '../kit/drafts.ts'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { EnterForm } from './EnterForm.tsx'

/** Where staff confirm who they are (BoAccess, spec §2). Who has a valid token already is sent one step back by the guard (spec §5, step 7). */
export default function AccessScreen() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const over = (useLocation().state as { over?: boolean } | null)?.over === true
  const typed = useHasDrafts()
  const to = backofficeRedirect(params.get('redirect_url'))
  return (
    <div className="grid max-w-180 gap-4">
      {over && (
        <Notice tone="info">
          Your stay in the backoffice has ended. Confirm once more, and you are back where you were.
          {typed && ' What you had typed is kept in this window.'}
        </Notice>
      )}
      <div className="grid gap-4 @md:grid-cols-2">
        <Panel title="Confirm that it is you">
          <EnterForm submit="Enter the backoffice" onDone={() => void navigate(to, { replace: true })} />
        </Panel>
        <div className="grid content-start gap-3 text-fg-2 text-pretty">
          <p>
            The backoffice shows the data of every customer, so it asks again who you are. You stay for 30 minutes, and can stay longer by
            confirming once more. Signing out, or going back to your own console, ends it.
          </p>
          <p>
            What you change and what you look at is kept in the audit log with your reason, your address, and how it was before and after.
            Customers read in their activities what concerns them.
          </p>
        </div>
      </div>
    </div>
  )
}
