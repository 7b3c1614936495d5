import { useEffect } from 'react'

/** Milliseconds between tries; a network that is back ends the wait. */
const waits = [2000, 5000, 10_000]

/** A page that has just begun anew does not do so again at once: code of a version that is not there would never come. */
const mayReload = () => performance.now() > 60_000 || (performance.getEntriesByType('navigation')[0] as { type?: string }).type !== 'reload'

/**
 * While a screen's code is missing the server is asked for again and again, at once when the network is back, and the page begins anew when it answers: browsers
 * remember of code that it did not come, and do not fetch it again.
 */
export function useLoadAgain(isMissing: boolean) {
  useEffect(() => {
    if (!isMissing) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let tries = 0
    const ask = async () => {
      clearTimeout(timer)
      const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
      if (timer === undefined) return
      if (answer?.ok && mayReload()) location.reload()
      else timer = setTimeout(ask, waits[Math.min(tries++, 2)])
    }
    timer = setTimeout(ask, waits[0])
    addEventListener('online', ask)
    return () => {
      clearTimeout(timer)
      timer = undefined
      removeEventListener('online', ask)
    }
  }, [isMissing])
}
