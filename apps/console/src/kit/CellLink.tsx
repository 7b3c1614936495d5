import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** The name in a row, which leads where the row leads. */
export const CellLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="font-medium hover:underline">
    {children}
  </Link>
)
