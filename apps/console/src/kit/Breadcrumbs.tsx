import { Link } from 'react-router'
import { Crumbs } from '../ui/Crumbs.tsx'

/** The way here: where it leads back to, and at the end what one sees: a number, or, `named`, a name. */
export function Breadcrumbs({
  way,
  here,
  named = false,
}: {
  way: readonly { label: string; to: string }[]
  here: string
  named?: boolean
}) {
  const links = way.map(({ label, to }) => ({
    id: to,
    link: (
      <Link to={to} className="hover:text-fg hover:underline">
        {label}
      </Link>
    ),
  }))
  return <Crumbs way={links} here={here} mono={!named} />
}
