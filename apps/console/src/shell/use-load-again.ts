import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Screen } from '../screens.ts'

/** Milliseconds between tries; a network that is back ends the wait. */
const waits = [1000, 2000, 5000, 10_000]

/**
 * While a screen's code is missing it is asked for again and again, at once when the network is back, and the screen is entered when it has come.
 * Code of a version that is no longer there never comes: for that there is the button.
 */
export function useLoadAgain(load: Screen['load'] | undefined) {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation() as { pathname: string; search: string; state: unknown }
  useEffect(() => {
    if (!load) return
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let tries = 0
    const ask = () => {
      clearTimeout(timer)
      void load().then(
        () => over || navigate({ pathname, search }, { replace: true, state }),
        () => {
          if (!over) timer = setTimeout(ask, waits[Math.min(tries++, waits.length - 1)])
        }
      )
    }
    timer = setTimeout(ask, waits[0])
    addEventListener('online', ask)
    return () => {
      over = true
      clearTimeout(timer)
      removeEventListener('online', ask)
    }
  }, [load, navigate, pathname, search, state])
}
