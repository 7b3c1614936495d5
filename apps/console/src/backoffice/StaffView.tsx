import { stopViewing } from '@masthead/contract/backoffice/account-operations'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/client.ts'
import { fetchUser, standing, useSession } from '../api/session.ts'
import { queries } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Above every screen while staff look at the console of a customer: whose it is, and the way back. */
export function StaffView() {
  const account = useSession(({ user }) => user?.acting_as)
  const navigate = useNavigate()
  const [stopping, setStopping] = useState(false)
  const back = async () => {
    setStopping(true)
    standing.moving = true
    const answer = await call(stopViewing, {})
    // Nothing of the customer's stays in this tab; and where it has ended by itself, one is on one's own account already.
    queries.clear()
    await fetchUser()
    await navigate(answer.ok ? `/masa/accounts/${encodeURIComponent(answer.data.email)}` : '/')
    location.reload()
  }
  return (
    <Notice
      tone="info"
      strip
      action={
        <Button size="small" loading={stopping} onClick={() => void back()}>
          Stop viewing
        </Button>
      }
    >
      You are looking at the console of <b className="font-medium">{account}</b> as staff. You cannot change anything, and the customer can
      see that you are here.
    </Notice>
  )
}
