import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { listSimCorrections } from '@masthead/contract/assets/operations'
import { q } from '../api/query.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { correctionColumns } from './correction-columns.tsx'

/** What staff corrected of the usage of an asset. Most assets have nothing of it, and show nothing. */
export function CorrectionsPanel({ asset }: { asset: Asset }) {
  const { data, error, refetch } = useQuery(q(listSimCorrections, { params: { asset_id: asset.id }, query: { page_size: 1 } }))
  if (error && !data)
    return (
      <Panel title="Corrections of usage">
        <ErrorState title="The corrections could not be loaded" failure={error} onRetry={() => void refetch()} />
      </Panel>
    )
  if (!data || data.total === 0) return null
  return (
    <Panel flush title="Corrections of usage" note="by staff; included in every figure">
      <QueryTable
        operation={listSimCorrections}
        input={{ params: { asset_id: asset.id } }}
        label="Corrections of usage"
        columns={correctionColumns}
        rowId={({ id }) => id}
        prefix="corrections_"
        plain
      />
    </Panel>
  )
}
