import { useQuery } from '@tanstack/react-query'
import { getQuarantineTotals, listQuarantine, type Quarantined } from '@masthead/contract/backoffice/quarantine-operations'
import { FileSearch, Link2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { Bytes } from '../../kit/Bytes.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { ratWords } from '../../kit/radio-technology.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { withTimes } from '../../kit/with-times.ts'
import { CopyText } from '../../ui/CopyText.tsx'
import { countryName } from '../../ui/country-name.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Cell, Frame, Stat } from '../../ui/Panel.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { CellLink } from '../../kit/CellLink.tsx'
import { numberOf } from './number-of.ts'
import { DiscardQuarantined, MatchQuarantined } from './ResolveQuarantine.tsx'
import { BackofficeEnd } from '../StayMark.tsx'

const isBeingCounted = ({ matched, counted_at }: Pick<Quarantined, 'matched' | 'counted_at'>) => matched !== null && counted_at === null

const identity: Column<Quarantined> = {
  id: 'identity',
  header: 'SIM number',
  fixed: true,
  list: 'title',
  shape: 'two',
  cell: (row) => (
    <TwoLines
      first={<CopyText text={numberOf(row)} label="number" />}
      second={<span className="whitespace-normal">{row.why}</span>}
      className="@min-[641px]/table:py-1.5"
    />
  ),
}
const used: Column<Quarantined> = {
  id: 'used',
  header: 'Used',
  width: 100,
  numeric: true,
  list: 'aside',
  cell: ({ bytes_up, bytes_down }) => <Bytes of={bytes_up + bytes_down} />,
}
const open: Column<Quarantined>[] = [
  identity,
  {
    id: 'gateway',
    header: 'Gateway',
    width: 150,
    shape: 'two',
    drop: 2,
    cell: (row) => <TwoLines first={row.gateway} second={row.acct_session_id} />,
  },
  {
    id: 'network',
    header: 'Network',
    width: 170,
    shape: 'two',
    drop: 2,
    cell: (row) => (
      <TwoLines
        first={row.network ?? row.mccmnc ?? '—'}
        second={[row.country && countryName(row.country), ratWords(row.rat)].filter(Boolean).join(', ')}
      />
    ),
  },
  { id: 'packets', header: 'Packets', width: 90, numeric: true, drop: 1, cell: ({ packets }) => packets.toLocaleString('en') },
  used,
  {
    id: 'last',
    header: 'Last packet',
    width: 120,
    numeric: true,
    list: 'below',
    listHead: true,
    cell: ({ last_at }) => <RelativeTime at={last_at} />,
  },
]
const resolved: Column<Quarantined>[] = [
  identity,
  used,
  {
    id: 'matched',
    header: 'Counted for',
    width: 220,
    shape: 'two',
    list: 'below',
    cell: ({ matched, state, counted_at }) =>
      matched ? (
        <TwoLines
          first={<CellLink to={`/masa/assets/${matched.asset_id}`}>{matched.asset_name}</CellLink>}
          second={isBeingCounted({ matched, counted_at }) ? 'Being counted' : matched.account}
        />
      ) : state === 'matched' ? (
        'A deleted asset'
      ) : (
        <StatusDot status="inactive" label="Discarded" />
      ),
  },
  { id: 'why', header: 'Reason', cell: ({ resolve_reason, resolved_by }) => <TwoLines first={resolve_reason} second={resolved_by} /> },
  { id: 'when', header: 'When', width: 120, numeric: true, drop: 1, cell: ({ resolved_at }) => <RelativeTime at={resolved_at} /> },
]

const defaults = { state: 'open' }
type State = Quarantined['state']
type Asking = { show: 'match' | 'discard' | 'look'; row: Quarantined }

/** Usage that was not counted: never dropped, counted once somebody knows whose it was, or that it is real. */
export default function QuarantineScreen() {
  const [address, change] = useAddressState(defaults)
  const state: State = address.state === 'matched' || address.state === 'discarded' ? address.state : 'open'
  const { data: totals, error } = useQuery(q(getQuarantineTotals, {}))
  const [asking, setAsking] = useState<Asking | null>(null)
  const close = () => setAsking(null)
  const stat = (label: string, value: React.ReactNode) => (
    <Cell>
      {/* Why they are missing is said below, where the list is missing too. */}
      <Stat label={label} value={totals ? value : '—'} loading={!totals && !error} />
    </Cell>
  )
  return (
    <>
      <BackofficeEnd />
      <Frame className="mb-4 grid-cols-2 @sm:grid-cols-4">
        {stat('Sessions waiting', totals?.open.toLocaleString('en'))}
        {stat('SIM numbers', totals?.numbers.toLocaleString('en'))}
        {stat('Not counted yet', <Bytes of={totals?.bytes} unitClass="text-sm font-normal text-fg-3" />)}
        {stat('Oldest', totals?.oldest_at ? <RelativeTime at={totals.oldest_at} /> : '—')}
      </Frame>
      <Tabs<State>
        label="State"
        current={state}
        onChange={(id) => change({ state: id }, { push: true })}
        tabs={[
          { id: 'open', label: 'Waiting', ...(totals && { count: totals.open }) },
          { id: 'matched', label: 'Matched', ...(totals && { count: totals.matched }) },
          { id: 'discarded', label: 'Discarded', ...(totals && { count: totals.discarded }) },
        ]}
      />
      <TabPanel id={state}>
        <QueryTable
          key={state}
          operation={listQuarantine}
          input={{ query: { state } }}
          label="Quarantine"
          columns={state === 'open' ? open : resolved}
          rowId={(row) => row.id}
          rowName={numberOf}
          again={(rows) => rows.some(isBeingCounted) && 2000}
          rowActions={(row) => [
            {
              label: row.kind === 'uncounted' ? 'Count it' : 'Match to a SIM',
              icon: Link2,
              disabled: state === 'open' ? row.cannot_match : 'It is resolved already',
              onSelect: () => setAsking({ show: 'match', row }),
            },
            { label: 'View packet', icon: FileSearch, onSelect: () => setAsking({ show: 'look', row }) },
            {
              label: 'Discard',
              icon: Trash2,
              danger: true,
              disabled: state === 'open' ? null : 'It is resolved already',
              onSelect: () => setAsking({ show: 'discard', row }),
            },
          ]}
          search="Number or session id"
          empty={
            <EmptyState title="No data found">
              {state === 'open' ? 'Every packet was counted for a SIM.' : 'Nothing has been resolved this way yet.'}
            </EmptyState>
          }
        />
      </TabPanel>
      {asking?.show === 'match' && <MatchQuarantined row={asking.row} onClose={close} />}
      {asking?.show === 'discard' && <DiscardQuarantined row={asking.row} onClose={close} />}
      {asking?.show === 'look' && (
        <Sheet open onClose={close} title={numberOf(asking.row)} note={`The last packet of session ${asking.row.acct_session_id}`}>
          <JsonView label="Packet" value={withTimes(asking.row.last_packet) as never} whole />
        </Sheet>
      )}
    </>
  )
}
