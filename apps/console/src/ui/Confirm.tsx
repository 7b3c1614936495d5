import type { ReactNode } from 'react'
import { Button, type ButtonColor } from './Button.tsx'
import { Modal } from './Modal.tsx'
import { Notice } from './Notice.tsx'

/** Asks before something is done: what it touches in words, and a button that says what it does. `error` is why it failed. */
export function Confirm({
  open,
  onClose,
  onConfirm,
  title,
  children,
  confirm,
  color = 'success',
  loading,
  error,
}: {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  children: ReactNode
  confirm: string
  color?: ButtonColor
  loading: boolean
  error: string | null
}) {
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={title}
      loading={loading}
      footer={
        <>
          <Button onClick={onClose} disabled={loading}>
            Cancel
          </Button>
          <Button color={color} loading={loading} onClick={onConfirm} data-autofocus>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-fg-2 text-pretty">{children}</div>
      {error && <Notice tone="bad">{error}</Notice>}
    </Modal>
  )
}
