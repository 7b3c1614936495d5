import { formatDayHere } from '@masthead/contract/kernel/time'
import { Link } from 'react-router'
import { later } from '../kit/later.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useAccount } from './use-account.ts'

const StaffView = later(() => import('../backoffice/StaffView.tsx').then((file) => file.StaffView))

/** spec §4, word for word. Part of the shell, so the terminal's window does not have it. Staff who look at the account see it, too. */
export function Suspension() {
  const account = useAccount()
  return (
    <>
      {account?.staff_view && <StaffView />}
      {(account?.erase_at || account?.suspended) && (
        <Notice tone="warn" strip>
          {account.erase_at ? (
            <>
              This account is closed. {account.staff_view ? 'Its owner' : 'You'} can reopen it until {formatDayHere(account.erase_at)}
              {account.staff_view ? (
                '.'
              ) : (
                <>
                  {' '}
                  on{' '}
                  <Link className="link" to="/profile?tab=account">
                    your profile
                  </Link>
                  .
                </>
              )}
            </>
          ) : (
            'Your account is suspended. Please add a valid payment method and credits to your account.'
          )}
        </Notice>
      )}
    </>
  )
}
