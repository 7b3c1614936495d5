import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

/** In the place of a thing that does not exist: what was looked for, and where to look on. */
export const NotThere = ({ title, to, way, children }: { title: string; to: string; way: string; children: ReactNode }) => (
  <div className="rounded-lg border border-line">
    <EmptyState
      title={title}
      actions={
        <Link to={to} className={buttonClass()}>
          {way}
        </Link>
      }
    >
      {children}
    </EmptyState>
  </div>
)
