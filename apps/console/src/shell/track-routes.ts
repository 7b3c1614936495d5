import type { createHashRouter } from 'react-router'
import type { ConsoleSettings } from '@masthead/contract/kernel/settings'
import { basePath } from '../api/settings.ts'
import type { Screen } from '../screens.ts'

type Router = Pick<ReturnType<typeof createHashRouter>, 'state' | 'subscribe'>
type Settings = NonNullable<ConsoleSettings['tag_manager']>

/**
 * Notifies the tag manager of each change of route: the pattern of the path (`/assets/:assetID`) and the screen's title. What stands in an
 * address beside that (ids, e-mail addresses, filters) may say who somebody is, and stays here.
 */
export function trackRoutes(router: Router, { id, script }: Settings) {
  const dataLayer: unknown[] = ((window as { dataLayer?: unknown[] }).dataLayer ??= [])
  let loaded = false
  let seen: string | null = null
  const look = ({ state }: Router) => {
    const screen = state.matches.at(-1)?.route.handle as Screen | undefined
    if (!state.initialized || state.navigation.state !== 'idle' || !screen) return
    const { pathname } = state.location
    if (pathname === seen) return
    seen = pathname
    const { path, title } = screen
    dataLayer.push({ event: 'page_view', page_path: path, page_title: title, page_location: location.origin + basePath + path })
    // The script reads addresses too, and those of public screens may hold a link's secret: it comes once somebody is signed in.
    if (loaded || screen.public) return
    loaded = true
    dataLayer.push({ event: 'gtm.js', 'gtm.start': Date.now() })
    const element = document.createElement('script')
    element.async = true
    element.src = `${script}?id=${encodeURIComponent(id)}`
    document.head.append(element)
  }
  look(router)
  router.subscribe((state) => look({ ...router, state }))
}
