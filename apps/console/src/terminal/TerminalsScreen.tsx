import { Navigate, useLocation, useNavigate } from 'react-router'
import { listTerminals } from '@masthead/contract/terminal/operations'
import { listSupport } from '@masthead/contract/terminal/support-operations'
import { listTunnels } from '@masthead/contract/terminal/tunnel-operations'
import { useDenied } from '../kit/ActionButton.tsx'
import { later } from '../kit/later.tsx'
import { useTunnels } from '../kit/tunnel-unlock.ts'
import { TabPanel, Tabs, type Tab } from '../ui/Tabs.tsx'
import { SessionsTab } from './sessions/SessionsTab.tsx'

const SupportTab = later(() => import('./support/SupportTab.tsx').then((file) => file.SupportTab))

const TunnelsTab = later(() => import('./tunnels/TunnelsTab.tsx').then((file) => file.TunnelsTab))

const panels = { sessions: SessionsTab, support: SupportTab, tunnels: TunnelsTab }
type Id = keyof typeof panels
const tabs: Tab<Id>[] = [
  { id: 'sessions', label: 'Sessions' },
  { id: 'support', label: 'Support access' },
  { id: 'tunnels', label: 'Tunnels' },
]
const operations = { sessions: listTerminals, support: listSupport, tunnels: listTunnels }
const paths: Record<Id, string> = { sessions: '/terminals', support: '/terminals/support', tunnels: '/terminals/tunnels' }

/** Terminals of the whole account: who has one open and who had, and what support may do. */
export default function TerminalsScreen() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  // Nobody is shown that there are any, until a command of the installation was given.
  const unlocked = useTunnels((tunnels) => tunnels.unlocked)
  const denied = useDenied()
  const shown = tabs.filter(({ id }) => id !== 'tunnels' || (unlocked && denied(listTunnels) === null))
  const current = shown.find(({ id }) => paths[id] === pathname)?.id ?? 'sessions'
  const Panel = panels[current]
  // Tunnels are hidden. Whoever may see nothing else here is refused in words by the guard.
  if (paths[current] !== pathname) return <Navigate to={paths[current]} replace />
  const withReasons = shown.map((tab) => {
    const reason = denied(operations[tab.id])
    return reason === null ? tab : { ...tab, disabled: reason }
  })
  return (
    <>
      <Tabs label="Terminals" tabs={withReasons} current={current} onChange={(id) => void navigate(paths[id])} />
      <TabPanel id={current}>
        <Panel />
      </TabPanel>
    </>
  )
}
