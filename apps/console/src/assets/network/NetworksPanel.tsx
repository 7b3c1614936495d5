import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import type { UsedNetwork } from '@masthead/contract/assets/connection'
import { listUsedNetworks } from '@masthead/contract/assets/connection-operations'
import { formatDay } from '@masthead/contract/kernel/time'
import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { RadioTower } from 'lucide-react'
import { q } from '../../api/query.ts'
import { ratWords } from '../../kit/radio-technology.ts'
import { countryName } from '../../ui/country-name.ts'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { StateShape } from '../../ui/StateShape.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'

/** The operators of the last 30 days, with what was used of each. */
export function NetworksPanel({ asset }: { asset: Asset }) {
  const { data, error, refetch } = useQuery(q(listUsedNetworks, { params: { asset_id: asset.id } }))
  return (
    <Panel flush title="Operators" note="last 30 days">
      {error && !data ? (
        <ErrorState title="The operators could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <PlainTable
          label="Operators"
          columns={columns}
          rows={data?.items}
          rowId={({ network, rat }) => `${network?.mccmnc ?? ''} ${rat ?? ''}`}
          skeletonRows={3}
          empty={
            <EmptyState icon={RadioTower} title="No data found">
              Each operator is listed here once the asset used data on it.
            </EmptyState>
          }
        />
      )}
    </Panel>
  )
}

/** In a list it stands alone, so it says what it is, with what was used. */
const LastUsed = ({ last_day, bytes_down, bytes_up }: UsedNetwork) => (
  <>
    <span className="only-list mr-1">{formatSteadyBytes(bytes_down + bytes_up)}, last used</span>
    {formatDay(last_day)}
  </>
)

const columns: Column<UsedNetwork>[] = [
  {
    id: 'network',
    header: 'Operator',
    list: 'title',
    shape: 'two',
    // Why it is not allowed is read whole: there is no pointer on a phone to ask for it.
    cell: ({ network, forbidden }) => (
      <TwoLines
        {...(forbidden && { className: 'py-1.5' })}
        first={network?.name ?? network?.mccmnc ?? 'Not reported'}
        second={
          forbidden ? (
            <span className="flex gap-1 text-warn-fg wrap-anywhere whitespace-normal">
              <StateShape shape="triangle" tone="warn" size={10} className="mt-1" />
              <span>Not allowed now: {forbidden}</span>
            </span>
          ) : (
            network && [network.country && countryName(network.country), network.mccmnc].filter(Boolean).join(', ')
          )
        }
      />
    ),
  },
  { id: 'rat', header: 'Technology', width: 104, list: 'aside', cell: ({ rat }) => ratWords(rat) ?? <span className="text-fg-3">—</span> },
  { id: 'down', header: 'Download', width: 100, numeric: true, cell: ({ bytes_down }) => formatSteadyBytes(bytes_down) },
  { id: 'up', header: 'Upload', width: 100, numeric: true, cell: ({ bytes_up }) => formatSteadyBytes(bytes_up) },
  { id: 'last', header: 'Last used', width: 116, numeric: true, list: 'below', cell: (row) => <LastUsed {...row} /> },
]
