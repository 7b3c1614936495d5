import type { Asset } from '@masthead/contract/assets/asset'
import type { StaffAsset } from '@masthead/contract/backoffice/home-operations'
import { listCorrections, undoCorrection } from '@masthead/contract/backoffice/correction-operations'
import { formatDay } from '@masthead/contract/kernel/time'
import { changeWords, type Correction } from '@masthead/contract/usage/correction'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { ReasonModal } from '../backoffice/index.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import type { Column } from '../ui/Table.tsx'
import { correctionColumns } from './correction-columns.tsx'

function UndoCell({ correction, refused }: { correction: Correction; refused: string | null }) {
  const [asking, setAsking] = useState(false)
  if (correction.undone_by) return null
  return (
    <>
      <ActionButton operation={undoCorrection} size="small" disabled={refused} onClick={() => setAsking(true)}>
        Undo
      </ActionButton>
      <ReasonModal
        open={asking}
        onClose={() => setAsking(false)}
        title="Undo this correction?"
        operation={undoCorrection}
        params={{ any_asset_id: correction.asset_id, correction_id: correction.id }}
        submit="Undo correction"
      >
        <p>
          {changeWords({ bytes_up: -correction.bytes_up, bytes_down: -correction.bytes_down })} on {formatDay(correction.day)}, in the hours
          that it corrected. Both stay in the list.
        </p>
      </ReasonModal>
    </>
  )
}

const columnsFor = (refused: string | null): Column<Correction>[] => [
  ...correctionColumns,
  {
    id: 'undo',
    header: 'Actions',
    width: 96,
    list: 'below',
    cell: (correction) => <UndoCell correction={correction} refused={refused} />,
  },
]

type Props = { asset: Asset; account: StaffAsset['account']; className?: string }

/** What staff corrected of an asset's usage, each with its undo. */
export function StaffCorrections({ asset, account, className }: Props) {
  return (
    <Panel title="Corrections of usage" flush {...(className && { className })}>
      <QueryTable
        operation={listCorrections}
        input={{ params: { any_asset_id: asset.id } }}
        label="Corrections of usage"
        columns={columnsFor(account.refused)}
        rowId={({ id }) => id}
        prefix="corrections_"
        plain
        empty={
          <EmptyState icon={Scale} title="No data found">
            The usage of this SIM has not been corrected. “Correct usage” subtracts what was counted wrongly on a day, or adds what was
            missed.
          </EmptyState>
        }
      />
    </Panel>
  )
}
