import type { ReactNode } from 'react'

/** A part of a page: one piece of the system, and what to know about it. */
export function Section({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 className="text-md font-semibold">{title}</h2>
        {about && <p className="max-w-[72ch] text-fg-3 text-pretty">{about}</p>}
      </div>
      {children}
    </section>
  )
}

/** One state, with its name before it. */
export function Specimen({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid items-center gap-x-4 gap-y-1.5 side:grid-cols-[132px_minmax(0,1fr)]">
      <span className="text-xs text-fg-3">{name}</span>
      <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}

/** Pieces beside each other where there is room. */
export const Grid = ({ children }: { children: ReactNode }) => <div className="grid items-start gap-5 @sm/main:grid-cols-2">{children}</div>
