import { uploadFeedFile } from '@masthead/contract/backoffice/feed-file-operations'
import type { Feed } from '@masthead/contract/backoffice/feed-operations'
import { recordColumns } from '@masthead/contract/usage/feed-columns'
import { useState } from 'react'
import { queries } from '../api/query.ts'
import { LoadFile, useUpload } from '../backoffice/index.ts'
import { Notice } from '../ui/Notice.tsx'
import { Select } from '../ui/Select.tsx'

type Props = { feeds: readonly Feed[]; feed_id: string; onClose: () => void; onOpen: (file_id: string) => void }

/** Sends a file of CDRs. It is stored as it comes, and read by a job: the list of files says how far that is. */
export function UploadFile({ feeds, feed_id, onClose, onOpen }: Props) {
  const usable = feeds.filter(({ state }) => state !== 'disabled')
  const [feed, setFeed] = useState<string | null>(feed_id || (usable.length === 1 ? usable[0]!.id : null))
  const upload = useUpload(uploadFeedFile)
  const { field, missing, busy, report, forget, send } = upload
  const sendFile = async () => {
    forget()
    const answer = await send({ params: { feed_id: feed! }, query: { name: field.files[0]!.name } })
    if (!answer) return
    void queries.invalidateQueries({ queryKey: ['backoffice'] })
    if (answer.duplicate) return
    onClose()
    onOpen(answer.file.id)
  }
  return (
    <LoadFile
      title="Upload a file of CDRs"
      verb="Upload"
      upload={{ ...upload, missing: feed === null ? 'Choose a feed first' : missing }}
      about={`A CSV with columns among ${recordColumns.join(', ')}. A record with an id that was read before is not counted again.`}
      onLoad={sendFile}
      onClose={onClose}
      report={
        report?.duplicate && (
          <Notice tone="warn">A file with this content was added before, as {report.file.name}. Nothing was read again.</Notice>
        )
      }
    >
      <Select
        label="Feed"
        placeholder="Choose a feed"
        options={usable.map(({ id, name }) => ({ value: id, label: name }))}
        value={feed}
        disabled={busy}
        onChange={setFeed}
      />
    </LoadFile>
  )
}
