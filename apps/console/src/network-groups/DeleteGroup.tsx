import { useQuery } from '@tanstack/react-query'
import type { NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { deleteNetworkGroup, listNetworkGroups, previewNetworkGroup } from '@masthead/contract/network-groups/operations'
import { q } from '../api/query.ts'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { Notice } from '../ui/Notice.tsx'
import { fieldsOf } from './draft.ts'
import { effectWords, simsOf, takesService } from './effect-words.ts'

/** Asks before a group goes, and says where its SIMs go, and what follows for them there. */
export function DeleteGroup({ group, onClose, onDone }: { group: NetworkGroup; onClose: () => void; onDone?: () => void }) {
  const { name } = group
  const groups = useQuery(q(listNetworkGroups, {}))
  const into = groups.data?.items.find(({ kind }) => kind === 'default')
  // As many as are in it now: some may come or go while this is open.
  const { sims } = groups.data?.items.find(({ id }) => id === group.id) ?? group
  // What the default group has is as if this one had it.
  const { name: _, ...rules } = fieldsOf(into ?? null)
  const preview = useQuery({
    ...q(previewNetworkGroup, { params: { network_group_id: group.id }, body: { ...rules, deletes: true } }),
    queryKey: ['network_groups', 'preview', group.id, rules],
    enabled: into !== undefined && sims > 0,
    staleTime: 0,
    gcTime: 0,
  })
  const words = preview.data
    ? effectWords(
        preview.data,
        preview.data.cut === 1
          ? '1 SIM is attached where Default does not allow it: its session is cut.'
          : `${simsOf(preview.data.cut)} are attached where Default does not allow them: their sessions are cut.`
      )
    : []
  return (
    <ConfirmCall
      operation={deleteNetworkGroup}
      input={{ params: { network_group_id: group.id } }}
      title={`Delete ${name}?`}
      confirm="Delete"
      color="danger"
      done={`${name} is deleted`}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {sims === 0
          ? 'No SIM is in it.'
          : `${sims === 1 ? 'Its SIM moves' : `Its ${sims.toLocaleString('en')} SIMs move`} to Default, and the limit and the networks of Default apply to ${sims === 1 ? 'it' : 'them'} from then on.`}
      </p>
      {sims > 0 && !preview.data && (
        <p>{groups.error || preview.error ? 'Who is affected could not be counted.' : 'Counting who is affected…'}</p>
      )}
      {preview.data && words.length > 0 && <Notice tone={takesService(preview.data) ? 'warn' : 'info'}>{words.join(' ')}</Notice>}
    </ConfirmCall>
  )
}
