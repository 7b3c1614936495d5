import { useQuery } from '@tanstack/react-query'
import { previewBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { q } from '../api/query.ts'
import { effectWords, takesService } from '../network-groups/index.ts'
import { Notice } from '../ui/Notice.tsx'

/** What follows at once for the SIM of an asset where it is put into a group. */
export function GroupEffect({ asset_id, group_id }: { asset_id: string; group_id: string }) {
  const body = { action: 'set_network_group' as const, network_group: group_id, asset_ids: [asset_id] }
  const { data, error } = useQuery({
    ...q(previewBulkChange, { body }),
    // Of now: not kept.
    queryKey: ['network_groups', 'effect', body],
    staleTime: 0,
    gcTime: 0,
  })
  if (error && !data) return <p className="text-fg-2">What follows for its SIM could not be counted.</p>
  if (!data?.held) return null
  const effect = { ...data.held, stranded: 0, stranded_countries: [] }
  const words = effectWords(effect, '1 SIM is attached where the group does not allow it: its session is cut.')
  return words.length > 0 && <Notice tone={takesService(effect) ? 'warn' : 'info'}>{words.join(' ')}</Notice>
}
