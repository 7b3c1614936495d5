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
          Your backoffice session has ended. Confirm your identity again to continue where you were.
          {typed && ' What you typed is kept in this window.'}
        </Notice>
      )}
      <div className="grid gap-4 @md:grid-cols-2">
        <Panel title="Confirm your identity">
          <EnterForm submit="Enter the backoffice" onDone={() => void navigate(to, { replace: true })} />
        </Panel>
        <div className="grid content-start gap-3 text-fg-2 text-pretty">
          <p>
            The backoffice asks you to confirm your identity because it shows the data of every customer. Access lasts 30 minutes and can be
            extended. It ends when you sign out or go back to your own console.
          </p>
          <p>
            The audit log records what you view and change, with your reason, your IP address, and the values before and after. Customers
            see what concerns them in their activities.
          </p>
        </div>
      </div>
    </div>
  )
}
