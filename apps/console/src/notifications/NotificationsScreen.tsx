import { useQuery } from '@tanstack/react-query'
import { getSummary } from '@masthead/contract/notifications/operations'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { useAddressState } from '../kit/use-address-state.ts'
import { InvitationList } from '../teams/index.ts'
import { TabPanel, Tabs, type Tab } from '../ui/Tabs.tsx'
import { AlertsTab } from './AlertsTab.tsx'
import { RulesTab } from './rules/RulesTab.tsx'
import { PreferencesTab } from './PreferencesTab.tsx'

const panels = { alerts: AlertsTab, rules: RulesTab, invitations: InvitationList, preferences: PreferencesTab }
type Id = keyof typeof panels

const defaults = { tab: 'alerts' }

export default function NotificationsScreen() {
  const [{ tab }, change] = useAddressState(defaults)
  const current: Id = tab in panels ? (tab as Id) : 'alerts'
  const { data: summary } = useQuery(q(getSummary, {}))
  const invitations = useSession((session) => session.user?.pending_invitations_from.length ?? 0)
  const tabs: Tab<Id>[] = [
    { id: 'alerts', label: 'Alerts', ...(summary && { count: summary.unread }) },
    { id: 'rules', label: 'Rules' },
    { id: 'invitations', label: 'Invitations', count: invitations },
    { id: 'preferences', label: 'Preferences' },
  ]
  const Panel = panels[current]
  return (
    <>
      <Tabs label="Notifications" tabs={tabs} current={current} onChange={(id) => change({ tab: id }, { push: true })} />
      <TabPanel id={current}>
        <Panel />
      </TabPanel>
    </>
  )
}
