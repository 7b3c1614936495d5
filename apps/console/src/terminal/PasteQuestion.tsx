import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Notice } from '../ui/Notice.tsx'
import { linesOf } from './paste.ts'

const shown = 6

/** Many lines at once are asked about: each runs as soon as it arrives. */
export function PasteQuestion({ text, onPaste, onClose }: { text: string; onPaste: (text: string) => void; onClose: () => void }) {
  const lines = linesOf(text)
  const deletes = lines.findIndex((line) => /\brm\s+-\w*[rf]|\bmkfs\b|\bdd\s+if=/.test(line))
  return (
    <Modal
      open
      title={`Paste ${lines.length} lines?`}
      onClose={onClose}
      footer={
        <>
          <Button color="ghost" onClick={() => onPaste(lines.map((line) => line.trim()).join(' '))}>
            Paste as one line
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button color="primary-solid" data-autofocus onClick={() => onPaste(text)}>
            Paste {lines.length} lines
          </Button>
        </>
      }
    >
      <p className="text-fg-2">Each line runs as soon as it arrives. The shell gets them one after the other.</p>
      <pre className="mono my-3 max-h-44 overflow-auto rounded-md border border-line bg-sunken p-3 text-xs">
        {lines.slice(0, shown).join('\n')}
        {lines.length > shown && `\n…${lines.length - shown} more`}
      </pre>
      {deletes >= 0 && <Notice tone="warn">Line {deletes + 1} deletes or overwrites files.</Notice>}
    </Modal>
  )
}
