import { useLayoutEffect, useRef } from 'react'
import { rememberPlace } from './way-back.ts'

/**
 * The props of a native dialog that is shown as long as it is mounted: the browser keeps the focus inside and gives it back. Escape and a
 * press on the backdrop ask to close it, unless it may not be closed (spec §4).
 */
export function useDialog({ onClose, mayClose }: { onClose: () => void; mayClose: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed before it leaves the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current!
    const goBack = rememberPlace()
    if (!element.open) element.showModal()
    element.querySelector<HTMLElement>('[data-autofocus], [data-body] :is(input, textarea, select, button.field):not(:disabled)')?.focus()
    return () => {
      element.close()
      // The browser gives it back to nobody when what opened the dialog is gone, as the row that was deleted.
      requestAnimationFrame(goBack)
    }
  }, [])
  return {
    ref: dialog,
    // Words in it can be pressed without losing the focus to the page.
    tabIndex: -1,
    onCancel: (event: React.SyntheticEvent) => {
      if (event.target !== dialog.current) return
      event.preventDefault()
      if (mayClose) onClose()
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      // Escape belongs first to what floats above: a list, a menu.
      if (event.key !== 'Escape' || dialog.current!.querySelector('[popover=auto]:popover-open')) return
      event.preventDefault()
      if (mayClose) onClose()
    },
    onPointerDown: (event: React.PointerEvent<HTMLDialogElement>) =>
      event.target === dialog.current && isOutside(event) && mayClose && onClose(),
  }
}

/** A press on the backdrop reaches the dialog itself, beyond its edges. */
function isOutside(event: React.PointerEvent<HTMLDialogElement>) {
  const box = event.currentTarget.getBoundingClientRect()
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom
}
