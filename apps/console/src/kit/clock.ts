import { useSyncExternalStore } from 'react'

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** What `read` makes of the time now (milliseconds), rendered again only when its answer changes. One clock ticks for the whole page. */
export const useClock = <T extends string | number | boolean>(read: (now: number) => T): T =>
  useSyncExternalStore(subscribe, () => read(timer ? now : (now = Date.now())))
