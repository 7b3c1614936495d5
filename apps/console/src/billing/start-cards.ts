import type { createHashRouter } from 'react-router'
import { whenIdle } from '../ui/when-idle.ts'
import { loadCardProvider } from './load-card-provider.ts'

type Router = Pick<ReturnType<typeof createHashRouter>, 'state' | 'subscribe'>

/**
 * Makes the card provider's client at the start (spec §7), once the first screen is there and the browser has nothing else to do. Its script
 * reads addresses: on a screen whose address holds a link's secret it waits for the next one.
 */
export function startCards(router: Router) {
  const mayStart = ({ initialized, navigation, location }: Router['state']) =>
    initialized && navigation.state === 'idle' && !/token=/.test(location.search)
  const start = () => whenIdle(() => void loadCardProvider().catch((error: unknown) => console.warn((error as Error).message)))
  if (mayStart(router.state)) return void start()
  const stop = router.subscribe((state) => {
    if (!mayStart(state)) return
    stop()
    start()
  })
}
