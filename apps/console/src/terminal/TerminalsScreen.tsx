import { useLocation, useNavigate } from 'react-router'
import { later } from '../kit/later.tsx'
import { TabPanel, Tabs, type Tab } from '../ui/Tabs.tsx'
import { SessionsTab } from './sessions/SessionsTab.tsx'

const SupportTab = later(() => import('./support/SupportTab.tsx').then((file) => file.SupportTab))

const panels = { sessions: SessionsTab, support: SupportTab }
type Id = keyof typeof panels
const tabs: Tab<Id>[] = [
  { id: 'sessions', label: 'Sessions' },
  { id: 'support', label: 'Support access' },
]
const paths: Record<Id, string> = { sessions: '/terminals', support: '/terminals/support' }

/** Terminals of the whole account: who has one open and who had, and what support may. */
export default function TerminalsScreen() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const current = tabs.find(({ id }) => paths[id] === pathname)?.id ?? 'sessions'
  const Panel = panels[current]
  return (
    <>
      <Tabs label="Terminals" tabs={tabs} current={current} onChange={(id) => void navigate(paths[id])} />
      <TabPanel id={current}>
        <Panel />
      </TabPanel>
    </>
  )
}
