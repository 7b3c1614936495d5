import { useQuery } from '@tanstack/react-query'
import { getCustomer, resumeAccount, suspendAccount, type CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { getMoney } from '@masthead/contract/backoffice/money-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { formatDayHere } from '@masthead/contract/kernel/time'
import { CirclePause, CirclePlay, Eye } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { Badge } from '../ui/Badge.tsx'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TabPanel, Tabs } from '../ui/Tabs.tsx'
import { CustomerAssets, CustomerLog } from './customer/CustomerLists.tsx'
import { CustomerMoney } from './customer/CustomerMoney.tsx'
import { CustomerOverview } from './customer/CustomerOverview.tsx'
import { useRefusal } from './customer/use-refusal.ts'
import { NotThere } from '../kit/NotThere.tsx'
import { ReasonModal } from './ReasonModal.tsx'
import { StayMark } from './StayMark.tsx'
import { ViewAsCustomer } from './ViewAsCustomer.tsx'

const defaults = { tab: 'overview' }
type TabId = 'overview' | 'assets' | 'money' | 'log'

/** One customer, as staff see them. */
export default function AccountScreen() {
  const { email = '' } = useParams()
  const [{ tab }, change] = useAddressState(defaults)
  const denied = useDenied()
  const [noMoney, noLogs] = [denied(getMoney), denied(listStaffLog)]
  const { data, error, refetch } = useQuery(q(getCustomer, { params: { email } }))
  const crumbs = (
    <Breadcrumbs
      way={[
        { label: 'Backoffice', to: '/masa' },
        { label: 'Accounts', to: '/masa/accounts' },
      ]}
      here={email}
    />
  )
  const missing = error?.status === 404
  if (!data || missing)
    return (
      <>
        <Banner title={missing ? 'Account not found' : error ? 'Account' : email} crumbs={crumbs} end={<StayMark />} />
        {missing ? (
          <NotThere title="Account not found" to={`/masa/accounts?search=${encodeURIComponent(email)}`} way="Search the list">
            No account has the e-mail <span className="mono wrap-anywhere">{email}</span>. It may have changed.
          </NotThere>
        ) : error ? (
          <ErrorState title="The account could not be loaded" failure={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonLines lines={8} />
        )}
      </>
    )
  const current: TabId = tab === 'assets' || (tab === 'log' && !noLogs) || (tab === 'money' && !noMoney) ? (tab as TabId) : 'overview'
  return (
    <>
      <Banner title={data.team_name} crumbs={crumbs} meta={<Meta customer={data} />} end={<Actions customer={data} />} />
      {data.erase_at && (
        <div className="pb-4">
          <Notice tone="warn">
            Closed by its owner <RelativeTime at={data.closed_at} />. What is personal is removed from {formatDayHere(data.erase_at)} on.
          </Notice>
        </div>
      )}
      {data.suspended_at && !data.erase_at && (
        <div className="pb-4">
          <Notice tone="warn">
            Suspended <RelativeTime at={data.suspended_at} />: {data.suspended_reason}
          </Notice>
        </div>
      )}
      <Tabs<TabId>
        label="Account"
        current={current}
        onChange={(id) => change({ tab: id }, { push: true })}
        tabs={[
          { id: 'overview', label: 'Overview' },
          { id: 'assets', label: 'Assets', count: data.assets },
          { id: 'money', label: 'Money', ...(noMoney && { disabled: noMoney }) },
          { id: 'log', label: 'Audit log', ...(noLogs && { disabled: noLogs }) },
        ]}
      />
      <TabPanel id={current}>
        {current === 'overview' && <CustomerOverview customer={data} />}
        {current === 'assets' && <CustomerAssets email={data.email} />}
        {current === 'money' && <CustomerMoney customer={data} />}
        {current === 'log' && <CustomerLog email={data.email} />}
      </TabPanel>
    </>
  )
}

const Meta = ({ customer: { suspended_at, staff_permissions, email, created_at } }: { customer: CustomerDetails }) => (
  <>
    {suspended_at ? <StatusDot status="blocked" label="Suspended" /> : <StatusDot status="active" label="In service" />}
    <span>{email}</span>
    <span className="text-fg-3">
      created <RelativeTime at={created_at} />
    </span>
    {staff_permissions.length > 0 && <Badge tone="info">Staff</Badge>}
  </>
)

function Actions({ customer }: { customer: CustomerDetails }) {
  const [asking, setAsking] = useState<'suspend' | 'resume' | 'view' | null>(null)
  const user = useSession((session) => session.user)
  const own = user?.email === customer.email
  const refused = useRefusal(customer)
  const close = () => setAsking(null)
  const common = { onClose: close, params: { email: customer.email } }
  const { team_name } = customer
  return (
    <>
      <StayMark />
      <Button icon={Eye} disabled={own ? 'You see your own console anyway' : refused} onClick={() => setAsking('view')}>
        View as customer
      </Button>
      {customer.suspended_at ? (
        <Button
          icon={CirclePlay}
          color="success"
          disabled={customer.closed_at ? 'Its owner closed it, and only they can reopen it' : refused}
          onClick={() => setAsking('resume')}
        >
          Resume
        </Button>
      ) : (
        <Button icon={CirclePause} color="danger-quiet" disabled={refused} onClick={() => setAsking('suspend')}>
          Suspend
        </Button>
      )}
      <ReasonModal
        {...common}
        open={asking === 'suspend'}
        title={`Suspend ${team_name}?`}
        operation={suspendAccount}
        submit="Suspend"
        color="danger"
        hint="The customer sees it, also on their SIMs."
      >
        <p>
          Every SIM of the account loses its service, {customer.assets === 1 ? '1 asset' : `${customer.assets.toLocaleString('en')} assets`}{' '}
          in all, and open sessions are cut. Each SIM keeps the state that the customer set. They can still sign in.
        </p>
      </ReasonModal>
      <ReasonModal
        {...common}
        open={asking === 'resume'}
        title={`Resume ${team_name}?`}
        operation={resumeAccount}
        submit="Resume"
        color="success"
      >
        <p>SIMs have service again, unless something else blocks them.</p>
      </ReasonModal>
      {asking === 'view' && <ViewAsCustomer customer={customer} onClose={close} />}
    </>
  )
}
