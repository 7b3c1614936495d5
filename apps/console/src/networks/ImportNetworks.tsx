import { dayOf } from '@masthead/contract/kernel/time'
import { importNetworks, type NetworkImport } from '@masthead/contract/backoffice/network-operations'
import { useState } from 'react'
import { queries } from '../api/query.ts'
import { useClock } from '../kit/clock.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { DateField, dayWords } from '../ui/DateField.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { FileDrop } from '../ui/FileDrop.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PlainTable, type Column } from '../ui/Table.tsx'
import { toast } from '../ui/toast.ts'
import { useUpload } from '../backoffice/index.ts'

const figure = (count: number) => count.toLocaleString('en')

type Change = NetworkImport['changes'][number]
const columns: Column<Change>[] = [
  {
    id: 'network',
    header: 'Network',
    width: 190,
    list: 'title',
    cell: ({ name, mccmnc, kind }) => (
      <span className="grid">
        <span className="truncate">{name}</span>
        <span className="flex items-center gap-2 text-xs text-fg-3">
          <span className="mono">{mccmnc}</span>
          {kind === 'added' && <Badge tone="info">New</Badge>}
        </span>
      </span>
    ),
  },
  {
    id: 'fields',
    header: 'Change',
    list: 'below',
    cell: ({ fields }) => (
      <span className="grid gap-0.5 py-1 text-xs whitespace-normal">
        {fields.map(({ field, before, after }) => (
          <span key={field} className="wrap-anywhere">
            <span className="text-fg-3">{field}</span> {before && <del className="text-bad-fg">{before}</del>}{' '}
            <ins className="text-ok-fg no-underline">{after}</ins>
          </span>
        ))}
      </span>
    ),
  },
]

/** Takes networks over from a CSV: first what would change, then, on a word, the change. */
export function ImportNetworks({ onClose }: { onClose: () => void }) {
  const today = useClock(dayOf)
  const { field, missing, busy, failure, report, forget, send } = useUpload(importNetworks)
  const [day, setDay] = useState(today)
  const ask = async (apply: boolean) => {
    const query = { effective_from: day, ...(apply && { apply: 'true' as const, basis: report?.basis }) }
    const answer = await send({ query })
    if (!answer?.applied) return
    toast.success(`${figure(answer.added)} added, ${figure(answer.changed)} changed`)
    void queries.invalidateQueries({ queryKey: ['backoffice'] })
    onClose()
  }
  const changes = report ? report.added + report.changed : 0
  const ready = report !== null && report.failed === 0 && changes > 0
  return (
    <Modal
      open
      onClose={onClose}
      title="Import networks"
      size="large"
      loading={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {ready ? (
            <Button color="success" loading={busy} onClick={() => void ask(true)}>
              Import {figure(changes)} {changes === 1 ? 'change' : 'changes'}
            </Button>
          ) : (
            <Button color="primary-solid" loading={busy} disabled={missing} onClick={() => void ask(false)}>
              Preview
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        <FileDrop {...field}>A CSV with the columns mccmnc, name, country, rats, zone, cost, price. Empty values stay unchanged.</FileDrop>
        <DateField
          label="Rates effective from"
          value={day}
          min={today}
          today={today}
          disabled={busy}
          onChange={(chosen) => {
            setDay(chosen)
            forget()
          }}
        />
        {failure && <FailureNotice of={failure} />}
        {report && <Preview report={report} day={day} />}
      </div>
    </Modal>
  )
}

function Preview({ report: { added, changed, unchanged, failed, changes, errors }, day }: { report: NetworkImport; day: string }) {
  return (
    <div className="grid gap-3">
      <Notice tone={failed > 0 ? 'bad' : added + changed > 0 ? 'info' : 'ok'}>
        {failed > 0
          ? `${figure(failed)} ${failed === 1 ? 'line is' : 'lines are'} wrong, so nothing can be imported. Correct the file and compare again.`
          : added + changed > 0
            ? `${figure(added)} new, ${figure(changed)} changed, ${figure(unchanged)} unchanged. Rates would apply from ${dayWords(day)}. Nothing has been saved yet.`
            : `${unchanged === 1 ? 'The network is' : `All ${figure(unchanged)} networks are`} already up to date.`}
      </Notice>
      {errors.length > 0 && (
        <ul className="grid max-h-48 gap-1 overflow-auto text-xs" aria-label="Wrong lines">
          {errors.slice(0, 100).map(({ line, words }) => (
            <li key={`${line} ${words}`}>
              <span className="text-fg-3">Line {line}:</span> {words}
            </li>
          ))}
        </ul>
      )}
      {failed > Math.min(100, errors.length) && <p className="text-xs text-fg-3">The first {Math.min(100, errors.length)} are shown.</p>}
      {changes.length > 0 && failed === 0 && (
        <div className="max-h-72 overflow-auto rounded-lg border border-line">
          <PlainTable label="What would change" columns={columns} rows={changes.slice(0, 100)} rowId={(row) => row.mccmnc} />
        </div>
      )}
      {changes.length > 100 && failed === 0 && <p className="text-xs text-fg-3">The first 100 of {figure(added + changed)} are shown.</p>}
    </div>
  )
}
