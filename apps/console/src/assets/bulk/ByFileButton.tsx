import { startCsvChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { later } from '../../kit/later.tsx'

const CsvDialog = later(() => import('./dialogs.ts').then((file) => file.CsvDialog))

/** Opens the change of many assets by a file. */
export function ByFileButton() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton operation={startCsvChange} color="ghost" icon={Pencil} onClick={() => setOpen(true)}>
        Change by file
      </ActionButton>
      {open && <CsvDialog onClose={() => setOpen(false)} />}
    </>
  )
}
