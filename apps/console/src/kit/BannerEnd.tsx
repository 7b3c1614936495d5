import { useSyncExternalStore, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

const never = () => () => {}

/** Puts a screen's main actions at the right end of the shell's banner. */
export function BannerEnd({ children }: { children: ReactNode }) {
  const place = useSyncExternalStore(never, () => document.getElementById('banner-end'))
  return place && createPortal(children, place)
}
