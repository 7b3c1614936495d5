import { loadAdvisories } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { queries } from '../api/query.ts'
import { useCsv } from '../backoffice/index.ts'
import { Button } from '../ui/Button.tsx'
import { FileDrop } from '../ui/FileDrop.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'

/** Sends a file of advisories, which takes the place of the one before. */
export function LoadAdvisories({ onClose }: { onClose: () => void }) {
  const { field, missing, busy, progress, failure, report, forget, send } = useCsv(loadAdvisories)
  const load = async () => {
    forget()
    if (await send({ query: { name: field.files[0]!.name } })) void queries.invalidateQueries({ queryKey: ['backoffice'] })
  }
  return (
    <Modal
      open
      onClose={onClose}
      title="Load advisories"
      loading={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {report ? 'Done' : 'Cancel'}
          </Button>
          <Button color="primary-solid" loading={busy} disabled={missing} onClick={() => void load()}>
            Load
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FileDrop {...field} accept=".json,.jsonl,.gz">
          Advisories in OSV format, one JSON document after the other, as <span className="mono">unzip -p all.zip</span> writes them; packed
          with gzip or not. They take the place of all that are loaded.
        </FileDrop>
        {progress !== null && <ProgressBar value={progress} label="Upload" size={10} />}
        {failure && <Notice tone="bad">{failure}</Notice>}
        {report && (
          <Notice tone={report.load.refused > 0 ? 'warn' : 'ok'}>
            {report.load.advisories.toLocaleString('en')} advisories are loaded.
            {report.load.refused > 0 && ` ${report.load.refused.toLocaleString('en')} documents could not be read.`}
            {report.errors.slice(0, 5).map(({ place, words }) => (
              <span key={place} className="block">
                Document {place}: {words}
              </span>
            ))}
          </Notice>
        )}
      </div>
    </Modal>
  )
}
