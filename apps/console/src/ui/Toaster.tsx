import { X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { IconButton } from './Button.tsx'
import { StateShape, type Shape, type Tone } from './StateShape.tsx'
import { controlBoxes, toastPlace } from './toast-place.ts'
import { dismissToast, pauseToast, runToast, toasts, type Toast } from './toast.ts'

const looks: Record<Toast['type'], { shape: Shape; tone: Tone }> = {
  success: { shape: 'done', tone: 'ok' },
  info: { shape: 'diamond', tone: 'info' },
  error: { shape: 'octagon', tone: 'bad' },
}

/** The place where toasts appear; once, in the shell. */
export function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.read)
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = region.current
    if (!element) return
    // Shown anew, it comes above a dialog that was opened after it.
    element.hidePopover()
    if (shown.length === 0) return
    element.showPopover()
    const { width, height } = element.getBoundingClientRect()
    const { left, top } = toastPlace({ width, height }, { width: innerWidth, height: innerHeight }, controlBoxes(element))
    Object.assign(element.style, { inset: 'auto', left: `${left}px`, top: `${top}px` })
  }, [shown])
  return (
    <>
      <div ref={region} popover="manual" className="toaster" role="region" aria-label="Notifications">
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
      <Announcer shown={shown} />
    </>
  )
}

/** A live region is heard only when it was there before its words: this one stays. */
function Announcer({ shown }: { shown: readonly Toast[] }) {
  const last = shown.at(-1)
  const said = last && (
    <span key={last.id}>
      {last.title}: <Message of={last.message} />
    </span>
  )
  return (
    <>
      <div className="sr-only" role="status">
        {last?.type !== 'error' && said}
      </div>
      <div className="sr-only" role="alert">
        {last?.type === 'error' && said}
      </div>
    </>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  return (
    <div
      className="panel-float toast"
      data-type={toast.type}
      onPointerEnter={() => pauseToast(toast)}
      onPointerLeave={({ currentTarget }) => currentTarget.matches(':focus-within') || runToast(toast)}
      // Whoever walks to it by keyboard has as much time as with a pointer.
      onFocus={() => pauseToast(toast)}
      onBlur={({ currentTarget }) => currentTarget.matches(':hover') || runToast(toast)}
    >
      <StateShape {...looks[toast.type]} className="mt-1" />
      <b className="font-semibold">{toast.title}</b>
      <IconButton label="Dismiss" icon={X} size="small" className="-mt-1 -mr-1" onClick={() => dismissToast(toast.id)} />
      <div className="col-start-2 text-fg-2 wrap-anywhere">
        <Message of={toast.message} />
        {toast.link && <div className="mt-1">{toast.link}</div>}
      </div>
    </div>
  )
}

function Message({ of: message }: { of: Toast['message'] }) {
  return typeof message === 'string' && /[<&]/.test(message) ? <CleanHtml html={message} /> : message
}

/** The cleaner is loaded with the first message that has any markup. */
function CleanHtml({ html }: { html: string }) {
  const [clean, setClean] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    void import('dompurify').then(
      ({ default: purify }) =>
        current &&
        setClean(purify.sanitize(html, { ALLOWED_TAGS: ['a', 'b', 'strong', 'i', 'em', 'br', 'code', 'span'], ALLOWED_ATTR: ['href'] }))
    )
    return () => {
      current = false
    }
  }, [html])
  return clean === null ? null : <span dangerouslySetInnerHTML={{ __html: clean }} />
}
