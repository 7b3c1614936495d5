import { useAddressState } from '../kit/use-address-state.ts'
import { TabPanel, Tabs, type Tab } from '../ui/Tabs.tsx'
import { ApiTab } from './ApiTab.tsx'
import { KeysTab } from './KeysTab.tsx'
import { WebhooksTab } from './WebhooksTab.tsx'

const panels = { keys: KeysTab, webhooks: WebhooksTab, api: ApiTab }
type Id = keyof typeof panels

const tabs: Tab<Id>[] = [
  { id: 'keys', label: 'API keys' },
  { id: 'webhooks', label: 'Webhooks' },
  { id: 'api', label: 'API' },
]
const defaults = { tab: 'keys' }

export default function DeveloperScreen() {
  const [{ tab }] = useAddressState(defaults)
  const current: Id = tab in panels ? (tab as Id) : 'keys'
  const Panel = panels[current]
  return (
    <>
      <TabStrip current={current} />
      <TabPanel id={current}>
        <Panel />
      </TabPanel>
    </>
  )
}

/** Another tab begins anew: filters and what was open belong to the one that is left. */
function TabStrip({ current }: { current: Id }) {
  const [, change] = useAddressState(everything)
  return (
    <Tabs label="Developer tools" tabs={tabs} current={current} onChange={(id) => change({ ...everything, tab: id }, { push: true })} />
  )
}
const everything = { tab: 'keys', search: '', state: '', page: 1, webhook: '', delivery: '', type: '' }
