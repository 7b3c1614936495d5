import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { parsePath, useBlocker, useHref, useNavigate, type Location } from 'react-router'
import { standing, useSession } from '../api/session.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'

/** Who is signed out, or on the way to another account, is not asked: what was here is gone. */
const goes = () => useSession.getState().user === null || standing.moving
/** Where another account begins. */
const otherAccount = { pathname: '/teams-redirect', search: '' } as Location

/** Of the browser's NavigateEvent. `hashChange`: by an address, not by the router. */
type Navigating = Event & { hashChange: boolean; navigationType: string; destination: { url: string } }

/** Asked by something else than the router: where it leads (`to`, of another account null), and who hears the answer. */
type Asked = { to: string | null; hear: (leave: boolean) => void }

/**
 * Asks before one leaves for an address of which `when` is true, by a link, by Back or typed behind the `#`, or for another account. One at
 * a time: a router has one question. `elsewhere` offers the address in a new tab, so that what is here stays.
 */
export function LeaveQuestion({
  when,
  title,
  leave,
  elsewhere = false,
  children,
}: {
  when: (next: Location) => boolean
  title: string
  /** What the button does that leaves: "Discard changes". */
  leave: string
  elsewhere?: boolean
  children: ReactNode
}) {
  const leaving = useRef(false)
  const blocker = useBlocker(({ nextLocation }) => !leaving.current && !goes() && when(nextLocation))
  const [asked, setAsked] = useState<Asked | null>(null)
  const href = useHref(blocker.location ?? asked?.to ?? '/')
  const navigate = useNavigate()
  useEffect(() => {
    standing.mayLeave = () =>
      goes() || !when(otherAccount) ? Promise.resolve(true) : new Promise((resolve) => setAsked({ to: null, hear: resolve }))
    return () => {
      standing.mayLeave = () => Promise.resolve(true)
    }
  })
  useEffect(() => {
    // Typed behind the `#`: the router would follow and ask nobody (a browser without the Navigation API does so).
    const { navigation } = window as { navigation?: EventTarget }
    const ask = (event: Event) => {
      const { hashChange, navigationType, destination } = event as Navigating
      const to = new URL(destination.url).hash.slice(1)
      if (!hashChange || navigationType === 'traverse' || !to.startsWith('/') || goes() || !when(parsePath(to) as Location)) return
      event.preventDefault()
      const hear = (leaves: boolean) => {
        if (!leaves) return
        leaving.current = true
        void Promise.resolve(navigate(to)).finally(() => {
          leaving.current = false
        })
      }
      setAsked({ to, hear })
    }
    navigation?.addEventListener('navigate', ask)
    return () => navigation?.removeEventListener('navigate', ask)
  })
  const say = (leaves: boolean) => {
    asked?.hear(leaves)
    setAsked(null)
    if (leaves) blocker.proceed?.()
    else blocker.reset?.()
  }
  const stay = () => say(false)
  return (
    <Modal
      open={blocker.state === 'blocked' || asked !== null}
      onClose={stay}
      title={title}
      footer={
        <>
          {elsewhere && asked?.to !== null && (
            <a className={`${buttonClass('ghost')} mr-auto`} href={href} target="_blank" rel="noreferrer" onClick={stay}>
              Open in a new tab
            </a>
          )}
          <Button color="danger" onClick={() => say(true)}>
            {leave}
          </Button>
          <Button color="primary-solid" data-autofocus onClick={stay}>
            Stay
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-fg-2 text-pretty">{children}</div>
    </Modal>
  )
}

/**
 * Asks before what was typed and not saved is left, or closed with the window: then the browser asks. `leaving`: the screen itself leads
 * elsewhere, because it was saved or discarded.
 */
export function UnsavedQuestion({ dirty, what, leaving }: { dirty: boolean; what: string; leaving?: RefObject<boolean> }) {
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => goes() || event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])
  return (
    <LeaveQuestion when={() => dirty && !leaving?.current} title="Leave without saving?" leave="Discard changes">
      <p>{what} What you do not save is lost.</p>
    </LeaveQuestion>
  )
}
