import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { useBlocker, useHref, type Location } from 'react-router'
import { standing, useSession } from '../api/session.ts'
import { buttonClass } from '../ui/Button.tsx'
import { StayQuestion } from './StayQuestion.tsx'

/** Who is signed out, or on the way to another account, is not asked: what was here is gone. */
const goes = () => useSession.getState().user === null || standing.moving
/** Where another account begins. */
const otherAccount = { pathname: '/teams-redirect', search: '' } as Location

/**
 * Asks before one leaves for an address of which `when` is true, by a link, by Back or typed behind the `#` (shell/number-entries.ts), or for
 * another account. One at a time: a router has one question. `elsewhere` offers the address in a new tab, so that what is here stays.
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
  const blocker = useBlocker(({ nextLocation }) => !goes() && when(nextLocation))
  /** Asked for another account: who gets the answer. */
  const [asked, setAsked] = useState<{ answer: (leave: boolean) => void } | null>(null)
  const href = useHref(blocker.location ?? '/')
  useEffect(() => {
    standing.mayLeave = () =>
      goes() || !when(otherAccount) ? Promise.resolve(true) : new Promise((resolve) => setAsked({ answer: resolve }))
    return () => {
      standing.mayLeave = () => Promise.resolve(true)
    }
  })
  const say = (leaves: boolean) => {
    asked?.answer(leaves)
    setAsked(null)
    if (leaves) blocker.proceed?.()
    else blocker.reset?.()
  }
  const stay = () => say(false)
  return (
    <StayQuestion
      open={blocker.state === 'blocked' || asked !== null}
      title={title}
      leave={leave}
      onLeave={() => say(true)}
      onStay={stay}
      beside={
        elsewhere &&
        !asked && (
          <a className={`${buttonClass('ghost')} mr-auto`} href={href} target="_blank" rel="noreferrer" onClick={stay}>
            Open in a new tab
          </a>
        )
      }
    >
      {children}
    </StayQuestion>
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
