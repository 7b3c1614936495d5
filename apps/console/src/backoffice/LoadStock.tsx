import { loadInventory } from '@masthead/contract/backoffice/operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { csvText } from '../ui/csv.ts'
import { Notice } from '../ui/Notice.tsx'
import { saveFile } from '../ui/save-file.ts'
import { PlainTable, type Column } from '../ui/Table.tsx'
import { TextField } from '../ui/TextField.tsx'
import { LoadFile } from './LoadFile.tsx'
import { useUpload } from './use-upload.ts'

type Report = Reply<typeof loadInventory>
const columns: Column<Report['errors'][number]>[] = [
  {
    id: 'line',
    header: 'Line',
    width: 80,
    numeric: true,
    list: 'aside',
    cell: ({ line }) => (
      <>
        <span className="only-list text-fg-3">Line&nbsp;</span>
        {line}
      </>
    ),
  },
  {
    id: 'words',
    header: 'What is wrong',
    list: 'title',
    cell: ({ words }) => <span className="whitespace-normal wrap-anywhere">{words}</span>,
  },
]
const errorsShown = 50

/** Loads stock from a CSV: how far it is, and every line that was refused with the reason. */
export function LoadStock({ onClose }: { onClose: () => void }) {
  const upload = useUpload(loadInventory)
  const { busy, report, forget, send } = upload
  const [account, setAccount] = useState('')
  const [active, setActive] = useState(false)
  const load = async () => {
    forget()
    const query = { ...(account.trim() && { account: account.trim(), ...(active && { active: 'true' as const }) }) }
    if (await send({ query })) void queries.invalidateQueries({ queryKey: ['backoffice'] })
  }
  return (
    <LoadFile
      title="Load stock"
      size="large"
      upload={upload}
      about="A CSV with the columns type, serial, iccid, imsi, msisdn, eid, imei. Loading the same file again changes nothing."
      onLoad={load}
      onClose={onClose}
      report={report && <Loaded report={report} />}
    >
      <TextField
        label="Register to account"
        type="email"
        placeholder="Owner’s e-mail"
        hint="Leave it empty to load into stock"
        value={account}
        disabled={busy}
        onChange={({ target }) => setAccount(target.value)}
      />
      {account.trim() !== '' && (
        <Checkbox checked={active} disabled={busy} onChange={({ target }) => setActive(target.checked)}>
          Activate the SIMs at once
        </Checkbox>
      )}
    </LoadFile>
  )
}

function Loaded({ report: { rows, loaded, unchanged, failed, errors } }: { report: Report }) {
  const figure = (count: number) => count.toLocaleString('en')
  return (
    <div className="grid gap-3">
      <Notice tone={failed > 0 ? 'warn' : 'ok'}>
        {figure(rows)} lines: {figure(loaded)} loaded, {figure(unchanged)} already there, {figure(failed)} rejected.
      </Notice>
      {errors.length > 0 && (
        <>
          <div className="max-h-64 overflow-auto rounded-lg border border-line">
            <PlainTable label="Rejected lines" columns={columns} rows={errors.slice(0, errorsShown)} rowId={(row) => String(row.line)} />
          </div>
          {errors.length > errorsShown && (
            <Button
              size="small"
              icon={Download}
              className="justify-self-start"
              onClick={() => saveFile('refused-lines.csv', csvText([['line', 'words'], ...errors.map(({ line, words }) => [line, words])]))}
            >
              All {figure(errors.length)} as CSV
            </Button>
          )}
        </>
      )}
    </div>
  )
}
