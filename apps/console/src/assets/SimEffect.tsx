import { useQuery } from '@tanstack/react-query'
import type { ImeiLock } from '@masthead/contract/assets/device'
import { previewBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { q } from '../api/query.ts'
import { effectWords, takesService } from '../network-groups/index.ts'
import { Notice } from '../ui/Notice.tsx'

type Change =
  | { action: 'set_network_group'; network_group: string }
  | { action: 'set_limit'; limit: null }
  | { action: 'imei_lock'; imei_lock: ImeiLock | null }

/** What follows at once for the SIM of an asset where it is put into a group, is to have the limit of its group, or another IMEI lock. */
export function SimEffect({ asset_id, of }: { asset_id: string; of: Change }) {
  const body = { ...of, asset_ids: [asset_id] }
  const { data, error } = useQuery({
    ...q(previewBulkChange, { body }),
    // Of now: not kept.
    queryKey: ['assets', 'effect', body],
    staleTime: 0,
    gcTime: 0,
  })
  if (error && !data) return <p className="text-fg-2">What follows for its SIM could not be counted.</p>
  if (!data?.held) return null
  const effect = { ...data.held, stranded: 0, stranded_countries: [] }
  const words = effectWords(effect, '1 SIM is attached where the group does not allow it: its session is cut.')
  return words.length > 0 && <Notice tone={takesService(effect) ? 'warn' : 'info'}>{words.join(' ')}</Notice>
}
