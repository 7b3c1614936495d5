import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  const watch = new MutationObserver(listener)
  watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => watch.disconnect()
}

/** The theme as it is now, for what is drawn on a canvas; everything else follows by CSS. */
export const useTheme = () => useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme)
