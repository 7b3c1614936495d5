import type { createHashRouter } from 'react-router'

// Its code, too, is none of the first screen's.
const load = () => import('./load-card-provider.ts').then(({ loadCardProvider }) => loadCardProvider())

type Router = Pick<ReturnType<typeof createHashRouter>, 'state' | 'subscribe'>

/** Safari before 26 cannot say when it has nothing to do. */
const whenIdle = (act: () => void) =>
  typeof requestIdleCallback === 'function' ? requestIdleCallback(act, { timeout: 5000 }) : setTimeout(act, 1000)

/**
 * Makes the card provider's client at the start (spec §7), once the first screen is there and the browser has nothing else to do. Its script
 * reads addresses: on a screen whose address holds a link's secret it waits for the next one.
 */
export function startCards(router: Router) {
  const mayStart = ({ initialized, navigation, location }: Router['state']) =>
    initialized && navigation.state === 'idle' && !/token=/.test(location.search)
  const start = () => whenIdle(() => void load().catch((error: unknown) => console.warn((error as Error).message)))
  if (mayStart(router.state)) return void start()
  const stop = router.subscribe((state) => {
    if (!mayStart(state)) return
    stop()
    start()
  })
}
