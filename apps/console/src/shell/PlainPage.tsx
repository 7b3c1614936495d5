import { useEffect, type ReactNode } from 'react'
import { Link } from 'react-router'
import { settings } from '../api/settings.ts'
import { Mark } from '../ui/Mark.tsx'

/** A public page of text. When the installation has an address of its own for it, that is opened instead. */
export function PlainPage({ title, link, children }: { title: string; link: 'privacy' | 'terms'; children: ReactNode }) {
  const elsewhere = settings.links?.[link]
  useEffect(() => {
    document.title = `${title} · Masthead`
    if (elsewhere) location.replace(elsewhere)
  }, [title, elsewhere])
  // Not our words for a moment before theirs.
  if (elsewhere) return null
  return (
    <div className="mx-auto grid max-w-[72ch] gap-6 px-4 py-10">
      <header>
        <Link to="/" className="inline-flex items-center gap-2 font-semibold">
          <Mark />
          Masthead
        </Link>
      </header>
      <main className="prose grid gap-4 text-md text-fg-2">
        <h1 className="tight text-2xl font-semibold text-fg">{title}</h1>
        {children}
      </main>
    </div>
  )
}

export const PlainHeading = ({ children }: { children: ReactNode }) => <h2 className="mt-2 text-lg font-semibold text-fg">{children}</h2>
