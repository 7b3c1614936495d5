import { CopyButton } from '../ui/CopyButton.tsx'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Notice } from '../ui/Notice.tsx'
import { CodeBlock } from '../kit/CodeBlock.tsx'

/** A secret, this one time. It is left by a word, not by a slip. */
export function SecretOnce({
  title,
  label,
  secret,
  children,
  onClose,
}: {
  title: string
  /** What it is: "API key". */
  label: string
  secret: string
  children: React.ReactNode
  onClose: () => void
}) {
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      size="large"
      dismissable={false}
      footer={
        <Button color="primary-solid" onClick={onClose}>
          I have saved it
        </Button>
      }
    >
      <Notice tone="warn">Copy it now, because it is shown only once. Nobody can show it again, not even support staff.</Notice>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken p-3">
        <output aria-label={label} className="mono min-w-0 flex-1 wrap-anywhere select-all">
          {secret}
        </output>
        <CopyButton text={secret} label={`Copy ${label}`} words="Copy" />
      </div>
      {children}
    </Modal>
  )
}

/** A curl command under the secret. */
export const TryIt = ({ code }: { code: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
    <p className="text-fg-2">Try it:</p>
    <CodeBlock label="curl command" code={code} />
  </div>
)
