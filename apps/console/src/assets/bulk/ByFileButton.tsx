import { startCsvChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { FileUp } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'

const CsvDialog = lazy(() => import('./CsvDialog.tsx').then((module) => ({ default: module.CsvDialog })))

/** Opens the change of many assets by a file. */
export function ByFileButton() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton operation={startCsvChange} color="ghost" icon={FileUp} onClick={() => setOpen(true)}>
        Change by file
      </ActionButton>
      {open && (
        <Suspense>
          <CsvDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
