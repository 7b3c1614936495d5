import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { FileDrop } from '../ui/FileDrop.tsx'
import { Modal } from '../ui/Modal.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import type { useUpload } from './use-upload.ts'

type Props = {
  title: string
  size?: 'medium' | 'large'
  /** What the button that sends says. */
  verb?: string
  /** What `useUpload` gave. */
  upload: Pick<ReturnType<typeof useUpload>, 'field' | 'missing' | 'busy' | 'progress' | 'failure'>
  accept?: string
  /** What the file has to be. */
  about: ReactNode
  onLoad: () => Promise<void>
  onClose: () => void
  /** Fields below the file. */
  children?: ReactNode
  /** What came of it. */
  report: ReactNode
}

/** Asks for a file, sends it, shows how far it is, and says what came of it. */
export function LoadFile({ title, size, verb = 'Load', upload, accept, about, onLoad, onClose, children, report }: Props) {
  const { field, missing, busy, progress, failure } = upload
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      {...(size && { size })}
      loading={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {report ? 'Done' : 'Cancel'}
          </Button>
          <Button color="primary-solid" loading={busy} disabled={missing} onClick={() => void onLoad()}>
            {verb}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FileDrop {...field} {...(accept && { accept })}>
          {about}
        </FileDrop>
        {children}
        {progress !== null && (
          <div className="grid gap-1" role="status">
            <ProgressBar value={progress} label="Upload" size={10} />
            <span className="text-xs text-fg-3">
              {progress < 1 ? `${Math.round(progress * 100)} % uploaded` : 'Uploaded, the rest of it is being loaded'}
            </span>
          </div>
        )}
        {failure && <FailureNotice of={failure} />}
        {report}
      </div>
    </Modal>
  )
}
