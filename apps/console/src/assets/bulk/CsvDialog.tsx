import type { BulkChange } from '@masthead/contract/assets/bulk/bulk'
import { startCsvChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { confirmWord } from '@masthead/contract/assets/bulk/bulk-action'
import { csvColumns, type CsvColumn } from '@masthead/contract/assets/bulk/csv-columns'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { useOperation } from '../../api/query.ts'
import { Button } from '../../ui/Button.tsx'
import { csvText } from '../../ui/csv.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { TextField } from '../../ui/TextField.tsx'
import { BulkResult } from './BulkResult.tsx'

const rows: { [Name in CsvColumn]?: string }[] = [
  {
    asset: 'X4-000001',
    name: 'Pump 7',
    switch: 'on',
    state: 'active',
    limit: '500 MB',
    imei_lock: 'lock',
    network_group: 'Default',
    add_tags: 'north;pumps',
  },
  { asset: '89445000012000001239', state: 'standby', limit: '2 GB/day', imei_lock: 'off', remove_tags: 'south' },
  { asset: 'X4-000002', switch: 'off', limit: 'none', raise: '3 GB', imei_lock: '490154203237518' },
  { asset: '89445000012000001247', new_sim: '89445000012000001254', old_sim: 'inactive' },
  {
    asset: 'CW-000001',
    apn: 'iot.example',
    network_priority: 'TYPE_E=1;TYPE_C=2',
    network_interface_exceptions: 'tun0;docker0',
    check_internet_interval: '60',
    send_monitoring_data_interval: '25',
    ping_timeout: '9',
    other_ping_timeout: '3',
    logger_level: 'info',
    debug_mode: 'no',
    verbose_mode: 'no',
  },
]
const example = [[...csvColumns], ...rows.map((row) => csvColumns.map((name) => row[name] ?? ''))]

const columns = [
  ['asset', 'id, serial number or ICCID'],
  ['name', 'a new name'],
  ['switch', 'on, off: the asset itself'],
  ['state', 'active, inactive, standby, ready'],
  ['limit', '500 MB, 2 GB/day, none'],
  ['raise', '2 GB: in all, in the period that runs'],
  ['imei_lock', 'off, watch, lock, group, or an IMEI'],
  ['network_group', 'the name of a group'],
  ['add_tags, remove_tags', 'names with ; between'],
  ['new_sim', 'ICCID or serial number: swaps the SIM; the row changes nothing else'],
  ['old_sim', 'of a swap, the SIM before: inactive, or terminated, which is for ever'],
  ['apn, logger_level, …', 'the configuration of a CORE device: the example has them all'],
] as const

const word = confirmWord.terminate_sim!

/** Many assets, each changed in its own way, by a file. A file that terminates SIMs asks for a word once it is sent. */
export function CsvDialog({ onClose }: { onClose: () => void }) {
  const [files, setFiles] = useState<File[]>([])
  const [begun, setBegun] = useState<BulkChange | null>(null)
  /** The server has said that the file terminates SIMs. */
  const [terminates, setTerminates] = useState(false)
  const [typed, setTyped] = useState('')
  const start = useOperation(startCsvChange)
  if (begun) return <BulkResult change={begun} onClose={onClose} />
  const [file] = files
  const missing = !file ? 'Choose a file first' : terminates && typed.trim() !== word ? `Type “${word}” first` : null
  const send = () =>
    start.mutate({ query: terminates ? { confirm: word } : {}, body: file } as never, {
      onSuccess: setBegun,
      onError: ({ fields }) => setTerminates(terminates || fields?.confirm !== undefined),
    })
  return (
    <Modal
      open
      onClose={onClose}
      title="Change assets by a file"
      loading={start.isPending}
      footer={
        <>
          <Button color="ghost" className="mr-auto" onClick={() => saveFile('change-assets.csv', csvText(example))}>
            Example
          </Button>
          <Button onClick={onClose} disabled={start.isPending}>
            Cancel
          </Button>
          <Button color={terminates ? 'danger' : 'success'} loading={start.isPending} disabled={missing} onClick={send}>
            Change assets
          </Button>
        </>
      }
    >
      <p className="text-fg-2">
        A row for each asset, up to 100,000. An empty cell changes nothing; a row is done whole or not at all. What was changed can be
        undone, but for raised limits, swapped SIMs, configurations and SIMs that became active for the first time.
      </p>
      <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {columns.map(([name, words]) => (
          <div key={name} className="contents">
            <dt className="mono">{name}</dt>
            <dd className="text-fg-2">{words}</dd>
          </div>
        ))}
      </dl>
      <FileDrop
        label="File"
        accept=".csv,text/csv"
        size={formatBytes}
        maxBytes={32_000_000}
        files={files}
        onChange={(chosen) => {
          setFiles(chosen)
          setTerminates(false)
          setTyped('')
          start.reset()
        }}
      >
        A CSV file
      </FileDrop>
      {terminates && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (!missing && !start.isPending) send()
          }}
        >
          <TextField
            label={`Type “${word}” to go on`}
            hint="Rows of this file terminate SIMs, for ever. Nothing is changed yet."
            value={typed}
            disabled={start.isPending}
            autoComplete="off"
            autoFocus
            spellCheck={false}
            mono
            onChange={({ target }) => setTyped(target.value)}
          />
        </form>
      )}
      {start.error && !start.error.fields?.confirm && <FailureNotice of={start.error} />}
    </Modal>
  )
}
