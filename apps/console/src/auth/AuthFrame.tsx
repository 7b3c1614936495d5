import { useEffect, type ReactNode } from 'react'
import { LegalLinks } from '../kit/LegalLinks.tsx'
import { Mark } from '../ui/Mark.tsx'

/** A page before anybody is signed in: what it is for, the form, the small print. */
export function AuthFrame({ title, words, children }: { title: string; words: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Masthead`
  }, [title])
  return (
    <div className="login">
      <main className="grid w-full max-w-90 gap-6">
        <div className="flex items-center gap-2.5 text-lg font-semibold tracking-[-0.02em]">
          <Mark size={24} />
          Masthead
        </div>
        <div>
          <h1 className="tight text-xl font-semibold">{title}</h1>
          <p className="mt-1 text-md text-fg-2 text-pretty">{words}</p>
        </div>
        {children}
      </main>
      <footer className="flex gap-4 text-xs text-fg-3">
        <LegalLinks />
        <span>© {new Date().getFullYear()} Masthead</span>
      </footer>
    </div>
  )
}
