import { TimerReset } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { surroundings } from '../api/client.ts'
import { setBackofficeToken, useSession } from '../api/session.ts'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { useClock } from '../kit/clock.ts'
import { later } from '../kit/later.tsx'
import { LeaveQuestion } from '../kit/LeaveQuestion.tsx'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Modal } from '../ui/Modal.tsx'
import { leftWords, soon, stayEnd } from './stay.ts'

const EnterForm = later(() => import('./EnterForm.tsx').then((file) => file.EnterForm))

// The addresses that need the backoffice token (spec §2).
const inBackoffice = /^\/(masa|alpon-remote-support)(\/|$)/

/** How long one may stay, and the way to stay longer. At its end one is asked anew, and comes back to where one was. */
export function StayMark() {
  const [renewing, setRenewing] = useState(false)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const left = useClock((now) => Math.ceil((stayEnd() ?? 0) - now / 1000))
  const over = left <= 0
  useEffect(() => {
    // Who leaves, or signs out, has no token before this is gone from the page: their stay is not over, they are elsewhere already.
    if (!over || !surroundings.onBackofficeRoute() || useSession.getState().status !== 'success') return
    setBackofficeToken(null)
    void navigate(`/masa/access?redirect_url=${encodeURIComponent(pathname + search)}`, { replace: true, state: { over: true } })
  }, [over, navigate, pathname, search])
  return (
    <>
      <span className={cx('text-xs whitespace-nowrap', left <= soon ? 'font-medium text-warn-fg' : 'text-fg-3')}>
        Backoffice ends {leftWords(left)}
      </span>
      {/* Said once, not every second. */}
      <span role="status" className="sr-only">
        {left <= soon && 'Your backoffice session ends within five minutes'}
      </span>
      <Button color="ghost" size="small" icon={TimerReset} onClick={() => setRenewing(true)}>
        Extend
      </Button>
      <LeaveQuestion
        when={({ pathname: to }) => surroundings.onBackofficeRoute() && (stayEnd() ?? 0) * 1000 > Date.now() && !inBackoffice.test(to)}
        title="Leave the backoffice?"
        leave="Leave the backoffice"
        elsewhere
      >
        <p>Your backoffice session ends. To return, you confirm your identity and give a reason again.</p>
        <p>To look at something else and come back, open it in a new tab.</p>
      </LeaveQuestion>
      <Modal open={renewing} onClose={() => setRenewing(false)} title="Stay signed in for another 30 minutes">
        <EnterForm submit="Extend" onDone={() => setRenewing(false)} />
      </Modal>
    </>
  )
}

/** The right end of a backoffice screen's banner. */
export const BackofficeEnd = ({ children }: { children?: ReactNode }) => (
  <BannerEnd>
    <StayMark />
    {children}
  </BannerEnd>
)
