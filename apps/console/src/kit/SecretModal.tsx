import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Modal } from '../ui/Modal.tsx'

/** The only time that a secret can be read. `what`: "secret" or "key". */
export const SecretModal = ({
  what,
  name,
  secret,
  onClose,
  children,
  more,
}: {
  what: string
  name: string
  secret: string
  onClose: () => void
  children: ReactNode
  /** Below it: what it is used in. */
  more?: ReactNode
}) => (
  <Modal
    open
    onClose={onClose}
    title={`The ${what} of ${name}`}
    dismissable={false}
    footer={
      <Button color="primary-solid" onClick={onClose}>
        I have saved it
      </Button>
    }
  >
    <div className="grid gap-3">
      <p className="text-fg-2 text-pretty">{children} If it is lost, create a new one.</p>
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken px-3 py-2">
        <code className="mono min-w-0 flex-1 wrap-anywhere" data-testid="secret">
          {secret}
        </code>
        <CopyButton text={secret} label={`Copy the ${what}`} />
      </div>
      {more}
    </div>
  </Modal>
)
