import { cloneElement, useEffect, useId, useRef, useState, type ReactElement, type ReactNode } from 'react'
import { keepBeside, type Side } from './place.ts'

type Described = {
  'aria-describedby'?: string
  'aria-label'?: string
  onPointerEnter?: (event: React.PointerEvent) => void
  onPointerLeave?: (event: React.PointerEvent) => void
  onPointerDown?: (event: React.PointerEvent) => void
  onFocus?: (event: React.FocusEvent) => void
  onBlur?: (event: React.FocusEvent) => void
}

/**
 * Words about an element, shown after a moment's hover and at once on keyboard focus; Escape and a press hide them. They are its description
 * for a screen reader, unless `silent`: then they only repeat what it says itself, and come by hover alone.
 */
export function Tooltip({
  content,
  side = 'top',
  delay = 300,
  silent = false,
  disabled = false,
  when,
  children,
}: {
  content: ReactNode
  side?: Side
  /** Milliseconds of hover. */
  delay?: number
  silent?: boolean
  /** There is nothing to say now. */
  disabled?: boolean
  /** Asked when the time has come: whether there is anything to say about this element. */
  when?: (element: Element) => boolean
  children: ReactElement<Described>
}) {
  const id = useId()
  const popup = useRef<HTMLSpanElement>(null)
  const [anchor, setAnchor] = useState<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hide = () => {
    clearTimeout(timer.current)
    setAnchor(null)
  }
  useEffect(() => {
    if (!anchor || !popup.current || disabled) return
    const element = popup.current
    let stop: (() => void) | undefined
    // A frame later: focus also comes back while a menu is closing, when nothing else may be shown.
    const frame = requestAnimationFrame(() => {
      element.showPopover()
      stop = keepBeside(anchor, element, { side, align: 'center' })
    })
    const escape = (event: KeyboardEvent) => event.key === 'Escape' && setAnchor(null)
    addEventListener('keydown', escape)
    return () => {
      cancelAnimationFrame(frame)
      stop?.()
      removeEventListener('keydown', escape)
    }
  }, [anchor, side, disabled])
  useEffect(() => () => clearTimeout(timer.current), [])
  const { props } = children
  // A tooltip that only repeats the name would be read twice.
  const repeats = silent || props['aria-label'] === content
  return (
    <>
      {cloneElement(children, {
        ...(!repeats && !disabled && { 'aria-describedby': props['aria-describedby'] ?? id }),
        onPointerEnter: (event) => {
          props.onPointerEnter?.(event)
          if (event.pointerType === 'touch') return
          const target = event.currentTarget
          timer.current = setTimeout(() => (when?.(target) ?? true) && setAnchor(target), delay)
        },
        onPointerLeave: (event) => {
          props.onPointerLeave?.(event)
          hide()
        },
        onPointerDown: (event) => {
          props.onPointerDown?.(event)
          hide()
        },
        onFocus: (event) => {
          props.onFocus?.(event)
          if (!silent && event.currentTarget.matches(':focus-visible')) setAnchor(event.currentTarget)
        },
        onBlur: (event) => {
          props.onBlur?.(event)
          hide()
        },
      })}
      {anchor && !disabled ? (
        <span ref={popup} id={id} role="tooltip" popover="manual" className="floating tip">
          {content}
        </span>
      ) : (
        !repeats &&
        !disabled && (
          <span id={id} hidden>
            {content}
          </span>
        )
      )}
    </>
  )
}
