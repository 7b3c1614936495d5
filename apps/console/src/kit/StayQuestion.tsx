import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'

/** Asks before what was typed is lost. To stay is the answer that has the focus. */
export function StayQuestion({
  open,
  title,
  leave,
  onLeave,
  onStay,
  beside,
  children,
}: {
  open: boolean
  title: string
  /** What the button does that leaves: "Discard changes". */
  leave: string
  onLeave: () => void
  onStay: () => void
  /** Another way out, in front of the two answers. */
  beside?: ReactNode
  children: ReactNode
}) {
  return (
    <Modal
      open={open}
      onClose={onStay}
      title={title}
      footer={
        <>
          {beside}
          <Button color="danger" onClick={onLeave}>
            {leave}
          </Button>
          <Button color="primary-solid" data-autofocus onClick={onStay}>
            Stay
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-fg-2 text-pretty">{children}</div>
    </Modal>
  )
}
