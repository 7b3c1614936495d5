import type { ReactNode } from 'react'
import { settings } from '../api/settings.ts'

/** A link to the installation's own page, when it has one: for who came here by an old address. */
export function OwnAddress({ link, children }: { link: 'community' | 'contact'; children: ReactNode }) {
  const address = settings.links?.[link]
  if (!address) return null
  return (
    <p>
      <a className="link" href={address} target="_blank" rel="noreferrer">
        {children}
      </a>
    </p>
  )
}
