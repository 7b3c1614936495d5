import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { useDialog } from './use-dialog.ts'

/** spec §9: where a dialog stands, and what lies behind it. */
export const modalPositions = ['center', 'top-center', 'bottom-center'] as const
export const modalBackdrops = ['blurred', 'opaque', 'transparent'] as const

export type ModalProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons, the one that goes on last. */
  footer?: ReactNode
  /** Something is on its way: it cannot be dismissed meanwhile (spec §4). */
  loading?: boolean
  /** False where it must be answered: without a cross, and neither Escape nor a press on the backdrop closes it. */
  dismissable?: boolean
  size?: 'medium' | 'large'
  /** `center` unless given. */
  position?: (typeof modalPositions)[number]
  /** `opaque` unless given. */
  backdrop?: (typeof modalBackdrops)[number]
}

/**
 * A dialog over the screen. The browser keeps the focus inside and gives it back; Escape, the cross and a press on the backdrop ask to close
 * it.
 */
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
  const titleId = useId()
  const dialog = useDialog({ onClose, mayClose: dismissable && !loading })
  return (
    <dialog
      {...dialog}
      className="modal"
      aria-labelledby={titleId}
      aria-busy={loading || undefined}
      data-size={size}
      data-position={position}
      data-backdrop={backdrop}
    >
      {/* It stays while its body scrolls; above what stands in it, as the head of a table. */}
      <div className="sticky top-0 z-12 flex items-start gap-3 bg-raised pt-4 pr-4 pl-5">
        {/* As high as the cross while it is of one line; of two, the cross stays with the first. */}
        <h2 id={titleId} className="tight min-w-0 py-0.5 text-lg font-semibold wrap-anywhere">
          {title}
        </h2>
        {dismissable && (
          <IconButton label="Close" icon={X} size="small" className="ml-auto coarse:-my-1.5" disabled={loading} onClick={onClose} />
        )}
      </div>
      <div data-body className="grid gap-4 px-5 pt-2 pb-5">
        {children}
      </div>
      {footer && <ModalFoot>{footer}</ModalFoot>}
    </dialog>
  )
}

/** The buttons of a dialog, kept visible while its body scrolls. */
export function ModalFoot({ children }: { children: ReactNode }) {
  return <div className="sticky bottom-0 flex flex-wrap justify-end gap-2 border-t border-line bg-hover px-5 py-3">{children}</div>
}
