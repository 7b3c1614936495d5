import { useQuery } from '@tanstack/react-query'
import { getAsset } from '@masthead/contract/assets/operations'
import { endTerminal, exportRecording, listTerminals } from '@masthead/contract/terminal/operations'
import type { TerminalSession } from '@masthead/contract/terminal/session'
import { Eye, Play, Power, Router, Terminal, UserRound } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { q } from '../../api/query.ts'
import { useDenied } from '../../kit/ActionButton.tsx'
import type { Filter } from '../../kit/filters.ts'
import { later } from '../../kit/later.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChip } from '../../ui/FilterChip.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { sessionColumns } from './session-columns.tsx'
import { noRecordingWords } from './session-words.ts'

const EndSession = later(() => import('./EndSession.tsx').then((file) => file.EndSession))

const filters: Filter[] = [
  {
    key: 'state',
    label: 'State',
    multiple: true,
    options: [
      { value: 'open', label: 'Open' },
      { value: 'connecting', label: 'Connecting' },
      { value: 'ended', label: 'Ended' },
    ],
  },
]
// Of the list as well: another question begins at its first page.
const defaults = { person: '', asset: '', page: 1, after: '' }

/** Every terminal session of the account, the newest first. */
export function SessionsTab() {
  const [{ person, asset }, change] = useAddressState(defaults)
  const refine = (patch: { person?: string; asset?: string }) => change({ ...patch, page: 1, after: '' })
  const [ending, setEnding] = useState<TerminalSession | null>(null)
  const assetName = useAssetName(asset)
  const items = useItems({ onEnd: setEnding, onOnly: refine })
  return (
    <>
      {(person || asset) && (
        <div className="flex flex-wrap gap-2 pb-3">
          {person && <FilterChip label="Opened by" verb="is" value={person} onRemove={() => refine({ person: '' })} />}
          {asset && <FilterChip label="Device" verb="is" value={assetName} onRemove={() => refine({ asset: '' })} />}
        </div>
      )}
      <QueryTable
        operation={listTerminals}
        input={{ query: { ...(person && { person }), ...(asset && { asset }) } }}
        label="Terminal sessions"
        columns={sessionColumns}
        rowId={({ id }) => id}
        rowName={({ asset_name, opened_by }) => `the terminal of ${opened_by} on ${asset_name}`}
        rowActions={items}
        filters={filters}
        remember="terminals"
        live
        empty={
          person || asset ? (
            <EmptyState
              icon={Terminal}
              title="No data found"
              actions={<Button onClick={() => refine({ person: '', asset: '' })}>Clear filters</Button>}
            >
              No terminal was opened {person && `by ${person} `}
              {asset && `on ${assetName} `}in the time that is kept.
            </EmptyState>
          ) : (
            <EmptyState icon={Terminal} title="No data found">
              A terminal is a shell on a device, in your browser. Open one from the Device tab of an asset; it is recorded and listed here.
            </EmptyState>
          )
        }
      />
      {ending && <EndSession session={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

/** What the asset is called, for who may see it; else its id. */
function useAssetName(id: string): string {
  const denied = useDenied()
  const { data } = useQuery({ ...q(getAsset, { params: { asset_id: id } }), enabled: id !== '' && denied(getAsset) === null })
  return data?.name ?? id
}

type Doing = { onEnd: (session: TerminalSession) => void; onOnly: (filter: { person?: string; asset?: string }) => void }

function useItems({ onEnd, onOnly }: Doing) {
  const denied = useDenied()
  const navigate = useNavigate()
  return (session: TerminalSession): MenuItem[] => [
    ...(session.state === 'ended'
      ? [
          {
            label: 'Play the recording',
            icon: Play,
            onSelect: () => void navigate(`/terminal?recording=${session.id}`),
            disabled: denied(exportRecording) ?? noRecordingWords(session.recording),
          },
        ]
      : [
          {
            label: 'Watch',
            icon: Eye,
            onSelect: () => void navigate(`/terminal?session=${session.id}`),
            disabled: session.state === 'open' ? null : 'It has no shell yet',
          },
        ]),
    { label: `Only of ${session.opened_by}`, icon: UserRound, onSelect: () => onOnly({ person: session.opened_by }) },
    { label: `Only on ${session.asset_name}`, icon: Router, onSelect: () => onOnly({ asset: session.asset_id }) },
    ...(session.state === 'ended'
      ? []
      : [{ label: 'End now', icon: Power, danger: true, onSelect: () => onEnd(session), disabled: denied(endTerminal) }]),
  ]
}
