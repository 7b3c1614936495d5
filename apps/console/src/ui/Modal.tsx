import { X } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'

export type ModalProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons, the one that goes on last. */
  footer?: ReactNode
  /** Something is on its way: it cannot be dismissed meanwhile (spec §4). */
  loading?: boolean
  dismissable?: boolean
  size?: 'medium' | 'large'
  // spec §9
  position?: 'center' | 'top-center' | 'bottom-center'
  backdrop?: 'blurred' | 'opaque' | 'transparent'
}

/** A dialog over the screen. The browser keeps the focus inside and gives it back. */
export function Modal(props: ModalProps) {
  // Unmounted when closed, so what was typed is gone with it.
  return props.open ? <OpenModal {...props} /> : null
}

function OpenModal({
  onClose,
  title,
  children,
  footer,
  loading = false,
  dismissable = true,
  size = 'medium',
  position = 'center',
  backdrop = 'opaque',
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const mayClose = dismissable && !loading
  useEffect(() => {
    const element = dialog.current!
    if (!element.open) element.showModal()
    element.querySelector<HTMLElement>('[data-autofocus], [data-body] :is(input, textarea, select):not(:disabled)')?.focus()
    return () => element.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby={titleId}
      data-size={size}
      data-position={position}
      data-backdrop={backdrop}
      onCancel={(event) => event.target === dialog.current && event.preventDefault()}
      onKeyDown={(event) => {
        // Escape belongs first to what floats above: a list, a menu.
        if (event.key !== 'Escape' || dialog.current!.querySelector('[popover=auto]:popover-open')) return
        event.preventDefault()
        if (mayClose) onClose()
      }}
      onPointerDown={(event) => event.target === dialog.current && isOutside(event) && mayClose && onClose()}
    >
      <div className="flex items-center pt-4 pr-4 pl-5">
        <h2 id={titleId} className="tight text-lg font-semibold">
          {title}
        </h2>
        {dismissable && <IconButton label="Close" icon={X} size="small" className="ml-auto" disabled={loading} onClick={onClose} />}
      </div>
      <div data-body className="grid gap-4 px-5 pt-2 pb-5">
        {children}
      </div>
      {footer && <ModalFoot>{footer}</ModalFoot>}
    </dialog>
  )
}

export function ModalFoot({ children }: { children: ReactNode }) {
  return <div className="sticky bottom-0 flex flex-wrap justify-end gap-2 border-t border-line bg-hover px-5 py-3">{children}</div>
}

/** A press on the backdrop reaches the dialog itself, beyond its edges. */
function isOutside(event: React.PointerEvent<HTMLDialogElement>) {
  const box = event.currentTarget.getBoundingClientRect()
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom
}
