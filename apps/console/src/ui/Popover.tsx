import { cloneElement, useEffect, useId, useRef, useState, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { keepBeside, type Align, type Side } from './place.ts'

type Trigger = ReactElement<ComponentProps<'button'>>

/** State and props of a native popover and the button that opens it. The browser does the light dismiss, Escape and the return of focus. */
export function usePopover({
  side = 'bottom',
  align = 'start',
  manual = false,
  onOpen,
}: {
  side?: Side
  align?: Align
  /** Opened and closed by the caller alone, for a list below a field that keeps the focus. */
  manual?: boolean
  onOpen?: (popup: HTMLElement) => void
}) {
  const id = useId()
  const popup = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const close = () => popup.current?.hidePopover()
  const show = () => popup.current?.matches(':popover-open') || popup.current?.showPopover()
  return {
    id,
    open,
    close,
    show,
    trigger,
    /** The same as `trigger`, for what is no button. */
    anchor: trigger as React.RefObject<HTMLElement | null> as React.RefObject<HTMLDivElement | null>,
    popup: {
      id,
      ref: popup,
      popover: manual ? ('manual' as const) : ('auto' as const),
      // Who goes on by Tab has left it; a press elsewhere closes it anyway.
      onBlur: ({ relatedTarget: to }: React.FocusEvent) => {
        if (to && to !== trigger.current && !popup.current!.contains(to)) close()
      },
      onBeforeToggle: (event: React.ToggleEvent<HTMLDivElement>) => {
        if (event.target === popup.current && event.newState === 'open') setOpen(true)
      },
      onToggle: (event: React.ToggleEvent<HTMLDivElement>) => {
        if (event.target !== popup.current) return
        stop.current?.()
        if (event.newState === 'closed') return setOpen(false)
        const anchor = trigger.current!
        // Never wider than a window that is made narrower meanwhile, as a telephone that is turned.
        popup.current.style.minWidth = `min(${Math.min(anchor.offsetWidth, 480)}px, 100vw - 16px)`
        stop.current = keepBeside(anchor, popup.current, { side, align })
        onOpen?.(popup.current)
      },
    },
  }
}

/** Anything in a floating panel beside its button: filters, view options. */
export function Popover({
  trigger,
  label,
  side,
  align,
  className,
  children,
}: {
  trigger: Trigger
  /** Names the panel for a screen reader. */
  label: string
  side?: Side
  align?: Align
  className?: string
  children: ReactNode | ((close: () => void) => ReactNode)
}) {
  const popover = usePopover({
    ...(side && { side }),
    ...(align && { align }),
    onOpen: (popup) => (popup.querySelector<HTMLElement>('[autofocus], input, button, select, a') ?? popup).focus(),
  })
  return (
    <>
      {cloneElement(trigger, { ref: popover.trigger, popoverTarget: popover.id, 'aria-haspopup': 'dialog', 'aria-expanded': popover.open })}
      <div {...popover.popup} role="dialog" aria-label={label} tabIndex={-1} className={cx('floating panel-float', className)}>
        {popover.open && (typeof children === 'function' ? children(popover.close) : children)}
      </div>
    </>
  )
}
