import { useQuery } from '@tanstack/react-query'
import { getSecurity } from '@masthead/contract/account/security-operations'
import { q } from '../api/query.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { IdentitiesPanel } from './IdentitiesPanel.tsx'
import { PasskeysPanel } from './PasskeysPanel.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'
import { SignInPanel } from './SignInPanel.tsx'
import { TwoFactorPanel } from './TwoFactorPanel.tsx'
import { WayBack } from './WayBack.tsx'

/** Who one is, how one proves it, and where one is signed in. */
export function SignInTab() {
  return (
    <div className="grid gap-4">
      <WayBack />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-4">
        <Security />
      </div>
      <SessionsPanel />
    </div>
  )
}

/** A panel whose content is not there yet. With the height of what comes, by class, nothing below moves. */
const OnItsWay = ({ title, className }: { title: string; className: string }) => (
  <Panel title={title} className={className}>
    <SkeletonLines />
  </Panel>
)

function Security() {
  const { data: security, error, refetch } = useQuery(q(getSecurity, {}))
  if (error && !security)
    return (
      <Panel title="Sign-in" className="col-span-full">
        <ErrorState title="How you sign in could not be loaded" failure={error} onRetry={() => void refetch()} />
      </Panel>
    )
  if (!security)
    return (
      <>
        <OnItsWay title="Sign-in" className="min-h-76" />
        <OnItsWay title="Two-factor authentication" className="min-h-29.5" />
        <OnItsWay title="Passkeys" className="col-span-full min-h-64.5" />
      </>
    )
  return (
    <>
      <SignInPanel security={security} />
      <TwoFactorPanel security={security} />
      <PasskeysPanel security={security} />
      <IdentitiesPanel security={security} />
    </>
  )
}
