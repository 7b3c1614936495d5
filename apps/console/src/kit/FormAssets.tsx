import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useListError } from './FormLines.tsx'
import { FileDrop } from '../ui/FileDrop.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { keysOfCsv, wordsOf } from './asset-keys.ts'

/** Assets by what is printed on them, pasted, typed or from a CSV file, as the field `assets` of the form around it. */
export function FormAssets() {
  const { setValue, formState } = useFormContext<{ assets: string[] }>()
  const [text, setText] = useState('')
  const wrong = useListError('assets')
  const take = (said: string) => {
    setText(said)
    setValue('assets', wordsOf(said), { shouldValidate: formState.isSubmitted })
  }
  return (
    <>
      <TextArea
        label="Assets"
        hint="Serial numbers, ICCIDs or ids, one in a line. Up to 1,000 at a time."
        rows={6}
        autoFocus
        value={text}
        error={wrong}
        onChange={({ target }) => take(target.value)}
      />
      <FileDrop
        label="From a file"
        accept=".csv,text/csv"
        size={formatBytes}
        maxBytes={1_000_000}
        files={[]}
        onChange={([file]) => void file?.text().then((csv) => take(keysOfCsv(csv).join('\n')))}
      >
        A CSV file with a column “serial”, “iccid” or “id”
      </FileDrop>
    </>
  )
}
