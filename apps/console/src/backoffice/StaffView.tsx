import { stopViewing } from '@masthead/contract/backoffice/account-operations'
import { useNavigate } from 'react-router'
import { fetchUser, useSession } from '../api/session.ts'
import { queries, useOperation } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Above every screen while staff look at the console of a customer: whose it is, and the way back. */
export default function StaffView() {
  const account = useSession(({ user }) => user?.acting_as)
  const navigate = useNavigate()
  const stop = useOperation(stopViewing)
  const back = () =>
    stop.mutate(
      {},
      {
        onSettled: (reply) => {
          // Nothing of the customer's stays in this tab.
          queries.clear()
          void fetchUser().then(() => navigate(reply ? `/masa/accounts/${encodeURIComponent(reply.email)}` : '/'))
        },
      }
    )
  return (
    <Notice
      tone="info"
      strip
      action={
        <Button size="small" loading={stop.isPending} onClick={back}>
          Stop viewing
        </Button>
      }
    >
      You are looking at the console of <b className="font-medium">{account}</b> as staff. You can change nothing, and the customer sees
      that you are here.
    </Notice>
  )
}
