import { create } from 'zustand'

/** Below this width the sidebar covers the window (spec §9). */
export const narrow = matchMedia('(max-width: 767px)')

/** The sidebar starts open (spec §9); where it covers the window it waits to be asked. */
export const useShell = create<{
  narrow: boolean
  sidebarOpen: boolean
  switchingAccount: boolean
  /** Critical alerts that nobody has acknowledged. */
  critical: number
  /** What is shown above the screen. */
  floating: 'palette' | 'keys' | null
}>(() => ({
  narrow: narrow.matches,
  sidebarOpen: !narrow.matches,
  switchingAccount: false,
  critical: 0,
  floating: null,
}))

export const toggleSidebar = () => useShell.setState(({ sidebarOpen }) => ({ sidebarOpen: !sidebarOpen }))

/** A changed route closes a sidebar that covers the window (spec §2). */
export const routeChanged = () => narrow.matches && useShell.setState({ sidebarOpen: false })

narrow.addEventListener('change', ({ matches }) => useShell.setState({ narrow: matches, sidebarOpen: !matches }))
