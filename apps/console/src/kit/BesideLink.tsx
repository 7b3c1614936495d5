import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'

/** The name in a row that is opened beside its list: by the address, in which `name` says what is open. */
export function BesideLink({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  const [params] = useSearchParams()
  const next = new URLSearchParams(params)
  next.set(name, value)
  return (
    <Link
      to={`?${next.toString()}`}
      preventScrollReset
      className="inline-block max-w-full truncate align-bottom -outline-offset-2 hover:underline"
    >
      {children}
    </Link>
  )
}
