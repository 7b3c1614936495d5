import { loadAdvisories } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { queries } from '../api/query.ts'
import { LoadFile, useUpload } from '../backoffice/index.ts'
import { Notice } from '../ui/Notice.tsx'

const documentsWords = (count: number) => (count === 1 ? '1 document' : `${count.toLocaleString('en')} documents`)

/** Sends a file of advisories, which takes the place of the one before. */
export function LoadAdvisories({ onClose }: { onClose: () => void }) {
  const upload = useUpload(loadAdvisories)
  const { field, report, forget, send } = upload
  const load = async () => {
    forget()
    if (await send({ query: { name: field.files[0]!.name } })) void queries.invalidateQueries({ queryKey: ['backoffice'] })
  }
  return (
    <LoadFile
      title="Load advisories"
      upload={upload}
      accept=".json,.jsonl,.gz"
      about={
        <>
          Advisories in OSV format, one JSON document after the other, as <span className="mono">unzip -p all.zip</span> writes them; packed
          with gzip or not. They take the place of all that are loaded.
        </>
      }
      onLoad={load}
      onClose={onClose}
      report={
        report && (
          <Notice tone={report.load.refused > 0 ? 'warn' : 'ok'}>
            {report.load.advisories === 1 ? '1 advisory is' : `${report.load.advisories.toLocaleString('en')} advisories are`} loaded.
            {report.load.refused > 0 && ` ${documentsWords(report.load.refused)} could not be read.`}
            {report.errors.slice(0, 5).map(({ place, words }) => (
              <span key={place} className="block">
                Document {place}: {words}
              </span>
            ))}
          </Notice>
        )
      }
    />
  )
}
