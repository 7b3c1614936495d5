import { fileEnds, largestFile, longestPath } from '@masthead/contract/terminal/file'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { FileRow } from './FileRow.tsx'
import { useFiles } from './use-files.ts'

type Props = {
  open: boolean
  onClose: () => void
  device: string
  /** The window on the terminal; null: there is none. */
  at: { session: string; client: string } | null
  types: boolean
  /** So many are on their way. */
  onCount: (count: number) => void
}

/** Files to the device and from it. They go on while this is closed. */
export function FilesSheet({ open, onClose, device, at, types, onCount }: Props) {
  const { lines, begin, cancel } = useFiles(at)
  const [way, setWay] = useState<'up' | 'down'>('up')
  const [files, setFiles] = useState<File[]>([])
  const [to, setTo] = useState('')
  const [from, setFrom] = useState('')
  const [replace, setReplace] = useState(false)
  const count = lines.filter(({ phase }) => phase === 'going' || phase === 'waiting').length
  useEffect(() => onCount(count), [count, onCount])
  const off = types ? null : fileEnds.watching
  const chosen = files[0]
  return (
    <Sheet open={open} onClose={onClose} title="Files" note={`To ${device} and from it, with the rights of the user whose shell it is.`}>
      <div>
        <Segmented
          label="Which way"
          options={[
            { value: 'up', label: 'Send a file' },
            { value: 'down', label: 'Fetch a file' },
          ]}
          value={way}
          onChange={setWay}
        />
      </div>
      {way === 'up' ? (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!chosen) return
            begin({ way: 'up', file: chosen, path: to.trim() || './', replace })
            setFiles([])
          }}
        >
          <FileDrop label="File" files={files} onChange={setFiles} maxBytes={largestFile} size={formatBytes}>
            up to {formatBytes(largestFile)}
          </FileDrop>
          <TextField
            label="To"
            aside="optional"
            mono
            maxLength={longestPath}
            hint="A folder, or a path with a name. Empty: the folder that the shell is in."
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
          <Checkbox checked={replace} onChange={({ target }) => setReplace(target.checked)}>
            Replace a file of this name
          </Checkbox>
          <Button type="submit" color="primary-solid" className="justify-self-start" disabled={off ?? (chosen ? null : 'Choose a file')}>
            Send
          </Button>
        </form>
      ) : (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (from.trim()) begin({ way: 'down', path: from.trim() })
          }}
        >
          <TextField
            label="From"
            mono
            maxLength={longestPath}
            hint="A file on the device. One that does not begin with / is looked for in the folder that the shell is in."
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
          <Button
            type="submit"
            color="primary-solid"
            className="justify-self-start"
            disabled={off ?? (from.trim() ? null : 'Enter the path of a file')}
          >
            Fetch
          </Button>
        </form>
      )}
      {lines.length > 0 && (
        <ul aria-label="Files of this window" className="grid gap-2">
          {lines.map((line) => (
            <FileRow key={line.nth} line={line} onCancel={() => cancel(line.nth)} />
          ))}
        </ul>
      )}
    </Sheet>
  )
}
