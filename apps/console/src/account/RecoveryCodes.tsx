import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Modal } from '../ui/Modal.tsx'
import { saveFile } from '../ui/save-file.ts'

/** Recovery codes, shown this once: it closes only by saying that they are kept. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [kept, setKept] = useState(false)
  const text = codes.join('\n')
  return (
    <Modal
      open
      onClose={onClose}
      dismissable={false}
      title="Your recovery codes"
      footer={
        <Button color="primary-solid" disabled={!kept && 'Save the codes first'} onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="text-fg-2 text-pretty">
        Each can be used once in place of a code from the app, for example when your phone is lost. Keep them apart from your phone. They
        are not shown again.
      </p>
      <ul aria-label="Recovery codes" className="mono grid gap-x-6 gap-y-1.5 rounded-md bg-sunken p-3 text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy the recovery codes" words="Copy" />
        <Button
          size="small"
          icon={Download}
          onClick={() =>
            saveFile('masthead-recovery-codes.txt', `Recovery codes for Masthead at ${location.host}\n\n${text}\n`, 'text/plain')
          }
        >
          Download
        </Button>
      </div>
      <Checkbox checked={kept} onChange={(event) => setKept(event.target.checked)}>
        I have saved these codes
      </Checkbox>
    </Modal>
  )
}
