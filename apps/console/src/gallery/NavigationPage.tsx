import { useState } from 'react'
import { Accordion } from '../ui/Accordion.tsx'
import { Crumbs } from '../ui/Crumbs.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { TabPanel, Tabs } from '../ui/Tabs.tsx'
import { Section } from './Specimen.tsx'

const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'device', label: 'Device' },
  { id: 'network', label: 'Network' },
  { id: 'application', label: 'Application', count: 4 },
  { id: 'terminal', label: 'Terminal', disabled: 'The device is offline' },
] as const

export function NavigationPage() {
  return (
    <>
      <Section title="Tabs" about="Arrow keys, Home and End open them; what cannot be opened is passed over.">
        <Tabbed />
      </Section>
      <Section title="Accordion" about="Enter and Space open and close. The browser's search finds what is closed.">
        <Accordion
          items={[
            {
              id: 'sim',
              title: 'What is a SIM block?',
              content: 'The system took its service, whatever you had set; it says what clears it.',
            },
            {
              id: 'pool',
              title: 'When does a pool run out?',
              note: 'Data Pools',
              content: 'At the pace of the last seven days, with how far off that may be.',
            },
            { id: 'beta', title: 'Reports', disabled: 'In the next version', content: '' },
          ]}
        />
        <Accordion
          multiple
          heading={4}
          items={[
            { id: 'a', title: 'Several open', content: 'The first.' },
            { id: 'b', title: 'At once', content: 'The second.' },
          ]}
        />
      </Section>
      <Section title="Breadcrumbs">
        <Crumbs
          way={[
            { id: 'assets', link: <a href="#/navigation">Assets</a> },
            { id: 'fleet', link: <a href="#/navigation">Reefers EU</a> },
          ]}
          here="reefer-truck-0148"
        />
        <Crumbs
          way={[{ id: 'registry', link: <a href="#/navigation">Registry</a> }]}
          here="sha256:9f2c41"
          mono
          label="Way in the registry"
        />
      </Section>
      <Section title="Pagination">
        <Paged />
        <Pagination label="Three pages" page={1} pages={3} onChange={() => undefined} />
        <Pagination label="Not now" page={2} pages={9} onChange={() => undefined} disabled />
      </Section>
    </>
  )
}

function Tabbed() {
  const [tab, setTab] = useState<(typeof tabs)[number]['id']>('overview')
  return (
    <div>
      <Tabs label="Asset" tabs={tabs} current={tab} onChange={setTab} />
      <TabPanel id={tab}>
        <p className="text-fg-2">What stands behind {tab}.</p>
      </TabPanel>
    </div>
  )
}

function Paged() {
  const [page, setPage] = useState(7)
  return <Pagination label="Pages of assets" page={page} pages={24} onChange={setPage} />
}
