import { useLayoutEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** Puts a screen's main actions at the right end of the shell's banner. */
export function BannerEnd({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  // Before the screen is painted: a banner that is filled later moves what stands below it. Each time, because another banner may have come.
  // oxlint-disable-next-line react/set-state-in-effect, react-hooks/exhaustive-deps -- The same element again changes nothing, so it ends.
  useLayoutEffect(() => setPlace(document.getElementById('banner-end')))
  return place && createPortal(children, place)
}
