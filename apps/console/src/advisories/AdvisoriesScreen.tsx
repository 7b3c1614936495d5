import { useQuery } from '@tanstack/react-query'
import { getAdvisories, loadAdvisories, type AdvisoryEcosystem } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { ShieldAlert, Upload } from 'lucide-react'
import { useState } from 'react'
import { q } from '../api/query.ts'
import { BackofficeEnd } from '../backoffice/index.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { later } from '../kit/later.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Cell, Frame, Stat } from '../ui/Panel.tsx'
import { Table, TableFrame, type Column } from '../ui/Table.tsx'

const LoadAdvisories = later(() => import('./LoadAdvisories.tsx').then((file) => file.LoadAdvisories))
const count = (value: number) => value.toLocaleString('en')

const columns: Column<AdvisoryEcosystem>[] = [
  { id: 'ecosystem', header: 'Ecosystem', fixed: true, list: 'title', cell: ({ ecosystem }) => ecosystem },
  { id: 'advisories', header: 'Advisories', width: 130, numeric: true, list: 'aside', cell: ({ advisories }) => count(advisories) },
  {
    id: 'compared',
    header: 'Versions are compared',
    list: 'below',
    cell: ({ compared }) => (compared === 'order' ? 'by their order' : 'only with those that an advisory lists'),
  },
]

/** Advisories that images of the registry are compared with. */
export default function AdvisoriesScreen() {
  const { data, error, refetch } = useQuery(q(getAdvisories, {}))
  const [loading, setLoading] = useState(false)
  const load = { icon: Upload, operation: loadAdvisories, onClick: () => setLoading(true) } as const
  const current = data?.load
  return (
    <>
      <BackofficeEnd>
        <ActionButton {...load} color="primary-solid">
          Load advisories
        </ActionButton>
      </BackofficeEnd>
      {error && !data ? (
        <ErrorState title="Advisories could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : data && !current ? (
        <EmptyState icon={ShieldAlert} title="No data found" actions={<ActionButton {...load}>Load advisories</ActionButton>}>
          Until a file in OSV format is loaded, no image is compared with known vulnerabilities.
        </EmptyState>
      ) : (
        <>
          <Frame className="mb-5 grid-cols-1 @md:grid-cols-3">
            <Cell>
              <Stat label="Advisories" loading={!current} value={count(current?.advisories ?? 0)} />
              <p className="mt-1 text-xs text-fg-3">
                {current?.refused
                  ? `${count(current.refused)} ${current.refused === 1 ? 'document' : 'documents'} could not be read`
                  : 'all of the file'}
              </p>
            </Cell>
            <Cell>
              <Stat label="Loaded" loading={!current} value={current ? <RelativeTime at={current.loaded_at} /> : ''} />
              <p className="mt-1 truncate text-xs text-fg-3">by {current?.loaded_by}</p>
            </Cell>
            <Cell>
              <Stat label="Ecosystems" loading={!current} value={count(data?.ecosystems.length ?? 0)} />
              <p className="mt-1 truncate text-xs text-fg-3">from {current?.file_name}</p>
            </Cell>
          </Frame>
          <TableFrame>
            <Table label="Ecosystems" columns={columns} rows={data?.ecosystems} rowId={({ ecosystem }) => ecosystem} skeletonRows={4} />
          </TableFrame>
        </>
      )}
      {loading && <LoadAdvisories onClose={() => setLoading(false)} />}
    </>
  )
}
