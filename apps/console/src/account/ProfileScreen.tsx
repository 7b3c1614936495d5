import { lazy, Suspense } from 'react'
import { useSession } from '../api/session.ts'
import { useAddressState } from '../kit/use-address-state.ts'
import { Notice } from '../ui/Notice.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { AgentRulesPanel } from '../assets/device/index.ts'
import { ConsentPanel } from '../terminal/index.ts'
import { TabPanel, Tabs, type Tab } from '../ui/Tabs.tsx'
import { AppearancePanel } from './AppearancePanel.tsx'
import { ClosingPanel } from './ClosingPanel.tsx'
import { DetailsPanel } from './DetailsPanel.tsx'
import { SecondFactorDemand } from './SecondFactorDemand.tsx'
import { SignInTab } from './SignInTab.tsx'

const TeamSection = lazy(() => import('../teams/index.ts').then((teams) => ({ default: teams.TeamSection })))
const MembershipsSection = lazy(() => import('../teams/index.ts').then((teams) => ({ default: teams.MembershipsSection })))

const tabs = [
  { id: 'sign-in', label: 'Sign-in' },
  { id: 'account', label: 'Account' },
  { id: 'team', label: 'Team' },
] as const satisfies readonly Tab[]
const defaults = { tab: '' }

/** Who one is and how one proves it, the account, and who else works on it. Without a tab in the address it is the first, where mails lead to. */
export default function ProfileScreen() {
  const acting = useSession((session) => session.user?.acting_as ?? null)
  const [{ tab }, change] = useAddressState(defaults)
  // How one signs in is one's own: it stands on one's own account.
  const shown = acting ? tabs.filter(({ id }) => id !== 'sign-in') : tabs
  const current = (shown.find(({ id }) => id === tab) ?? shown[0]!).id
  return (
    <div className="grid gap-4">
      {acting && (
        <Notice tone="info">
          You are working on the account of {acting}. To change how you sign in, or to leave this team, switch to your own account in the
          bar at the top.
        </Notice>
      )}
      <div>
        <Tabs label="Profile" tabs={shown} current={current} onChange={(id) => change({ tab: id }, { push: true })} />
        <TabPanel id={current}>
          {current === 'sign-in' && <SignInTab />}
          {current === 'account' && (
            <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-4">
              <DetailsPanel />
              <AppearancePanel />
              <ConsentPanel />
              <AgentRulesPanel />
              {!acting && <ClosingPanel />}
            </div>
          )}
          {current === 'team' && (
            <Suspense fallback={<SkeletonLines lines={6} />}>
              <div className="grid gap-4">
                <TeamSection>
                  <SecondFactorDemand />
                </TeamSection>
                {!acting && <MembershipsSection />}
              </div>
            </Suspense>
          )}
        </TabPanel>
      </div>
    </div>
  )
}
