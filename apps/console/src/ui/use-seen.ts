import { useEffect, useRef, useState, type RefObject } from 'react'

// Before it becomes visible by scrolling; and, for print and for what is looked for, without being seen.
const ahead = '200px'
const unseen = 2000 // ms

/** Whether a thing has become visible, or the page has had time to come first: then what is heavy about it is loaded. `onlySeen`: no sooner than it is visible. */
export function useSeen<Of extends Element>({ onlySeen = false } = {}): [RefObject<Of | null>, boolean] {
  const thing = useRef<Of>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen) return
    const see = () => setSeen(true)
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && see(), { rootMargin: onlySeen ? '0px' : ahead })
    observer.observe(thing.current!)
    const timer = onlySeen ? undefined : setTimeout(see, unseen)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [seen, onlySeen])
  return [thing, seen]
}
