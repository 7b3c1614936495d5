import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { ModalFoot } from './Modal.tsx'
import { useDialog } from './use-dialog.ts'

/** A dialog at the edge of the screen, for what is read beside a list or is too long for a modal. Escape and a press outside close it. */
export function Sheet(props: Parameters<typeof OpenSheet>[0] & { open: boolean }) {
  const { open, ...rest } = props
  return open ? <OpenSheet {...rest} /> : null
}

function OpenSheet({
  onClose,
  title,
  note,
  children,
  footer,
  loading = false,
  dismissable = true,
  side = 'right',
  wide = false,
}: {
  onClose: () => void
  title: string
  /** Under the title: what it is about. */
  note?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** Something is on its way: it cannot be dismissed meanwhile. */
  loading?: boolean
  dismissable?: boolean
  side?: 'right' | 'left'
  wide?: boolean
}) {
  const titleId = useId()
  const dialog = useDialog({ onClose, mayClose: dismissable && !loading })
  return (
    <dialog
      {...dialog}
      className="sheet"
      aria-labelledby={titleId}
      aria-busy={loading || undefined}
      data-side={side}
      data-wide={wide ? '' : undefined}
    >
      <div className="flex min-h-full flex-col">
        <div className="sticky top-0 z-12 flex items-start gap-3 border-b border-line bg-raised py-3 pr-3 pl-5">
          <div className="min-w-0 py-0.5">
            <h2 id={titleId} className="tight text-lg font-semibold wrap-anywhere">
              {title}
            </h2>
            {note && <div className="text-fg-2">{note}</div>}
          </div>
          {dismissable && <IconButton label="Close" icon={X} className="ml-auto coarse:-my-1" disabled={loading} onClick={onClose} />}
        </div>
        <div data-body className="grid flex-1 content-start gap-4 px-5 py-4">
          {children}
        </div>
        {footer && <ModalFoot>{footer}</ModalFoot>}
      </div>
    </dialog>
  )
}
