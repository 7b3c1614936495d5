import { useQuery } from '@tanstack/react-query'
import { getSecurity } from '@masthead/contract/account/security-operations'
import { lazy, Suspense } from 'react'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { AppearancePanel } from './AppearancePanel.tsx'
import { ClosingPanel } from './ClosingPanel.tsx'
import { DetailsPanel } from './DetailsPanel.tsx'
import { IdentitiesPanel } from './IdentitiesPanel.tsx'
import { PasskeysPanel } from './PasskeysPanel.tsx'
import { SecondFactorDemand } from './SecondFactorDemand.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'
import { SignInPanel } from './SignInPanel.tsx'
import { TwoFactorPanel } from './TwoFactorPanel.tsx'
import { WayBack } from './WayBack.tsx'

const TeamSection = lazy(() => import('../teams/index.ts').then((teams) => ({ default: teams.TeamSection })))
const MembershipsSection = lazy(() => import('../teams/index.ts').then((teams) => ({ default: teams.MembershipsSection })))

/** Who one is and how one proves it, the account, and who else works on it. */
export default function ProfileScreen() {
  const user = useSession((session) => session.user)
  const acting = user?.acting_as ?? null
  return (
    <div className="grid gap-4">
      {acting && (
        <Notice tone="info">
          You are working on the account of {acting}. To change how you sign in, or to leave this team, switch to your own account in the
          bar at the top.
        </Notice>
      )}
      {!acting && <WayBack />}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-4">
        <DetailsPanel />
        <AppearancePanel />
        {!acting && <Security />}
      </div>
      {!acting && <SessionsPanel />}
      <Suspense fallback={<OnItsWay title="Team" />}>
        <TeamSection>
          <SecondFactorDemand />
        </TeamSection>
      </Suspense>
      {!acting && (
        <Suspense fallback={<OnItsWay title="Your teams" />}>
          <MembershipsSection />
        </Suspense>
      )}
      {!acting && <ClosingPanel />}
    </div>
  )
}

/** A panel whose content is not there yet. With the height of what comes, by class, nothing below moves. */
const OnItsWay = ({ title, className }: { title: string; className?: string }) => (
  <Panel title={title} {...(className && { className })}>
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
