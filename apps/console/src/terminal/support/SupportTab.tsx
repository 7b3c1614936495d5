import { useQuery } from '@tanstack/react-query'
import { exportRecording } from '@masthead/contract/terminal/operations'
import type { SupportAccess } from '@masthead/contract/terminal/support'
import { listSupport } from '@masthead/contract/terminal/support-operations'
import { LifeBuoy, Play } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { q } from '../../api/query.ts'
import { useDenied } from '../../kit/ActionButton.tsx'
import { later } from '../../kit/later.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { noRecordingWords } from '../sessions/session-words.ts'
import { ConsentPanel } from './ConsentPanel.tsx'
import { OpenAccess } from './OpenAccess.tsx'
import { supportColumns } from './support-columns.tsx'

const EndAccess = later(() => import('./EndAccess.tsx').then((file) => file.EndAccess))
const AllowForm = later(() => import('./AllowForm.tsx').then((file) => file.AllowForm))
const RefuseForm = later(() => import('./AllowForm.tsx').then((file) => file.RefuseForm))

type Doing = { what: 'allow' | 'refuse' | 'end'; access: SupportAccess }
const over = { state: ['over' as const] }
const open = { state: ['asked' as const, 'allowed' as const], page_size: 100 }

/** What support asks for and has now, what it had, and what the account allows beforehand. */
export function SupportTab() {
  const [doing, setDoing] = useState<Doing | null>(null)
  const { data, error, refetch } = useQuery(q(listSupport, { query: open }))
  const denied = useDenied()
  const navigate = useNavigate()
  const close = () => setDoing(null)
  return (
    <div className="grid gap-4">
      {error && !data && <ErrorState title="What support asks could not be loaded" failure={error} onRetry={() => void refetch()} />}
      {data?.items.map((access) => (
        <OpenAccess
          key={access.id}
          access={access}
          onAllow={() => setDoing({ what: 'allow', access })}
          onRefuse={() => setDoing({ what: 'refuse', access })}
          onEnd={() => setDoing({ what: 'end', access })}
        />
      ))}
      <ConsentPanel />
      <QueryTable
        operation={listSupport}
        input={{ query: over }}
        label="Earlier access of support"
        columns={supportColumns}
        rowId={({ id }) => id}
        rowName={({ staff, asset_name }) => `the access of ${staff} to ${asset_name}`}
        rowActions={({ terminals }) =>
          terminals.length === 0
            ? [{ label: 'Play the recording', icon: Play, onSelect: () => {}, disabled: 'No terminal was opened' }]
            : terminals.map(({ id, recording }, nth) => ({
                label: terminals.length === 1 ? 'Play the recording' : `Play recording ${terminals.length - nth}`,
                icon: Play,
                onSelect: () => void navigate(`/terminal?recording=${id}`),
                disabled: denied(exportRecording) ?? noRecordingWords(recording),
              }))
        }
        live
        empty={
          <EmptyState icon={LifeBuoy} title="No data found">
            Support sees no terminal of yours unless you allow it. What they ask, and what they did, is listed here.
          </EmptyState>
        }
      />
      {doing?.what === 'allow' && <AllowForm access={doing.access} onClose={close} />}
      {doing?.what === 'refuse' && <RefuseForm access={doing.access} onClose={close} />}
      {doing?.what === 'end' && <EndAccess access={doing.access} onClose={close} />}
    </div>
  )
}
