import { Link } from 'react-router'
import { Crumbs } from '../ui/Crumbs.tsx'

/** The way here: where it leads back to, and at the end what one sees. */
export function Breadcrumbs({ way, here }: { way: readonly { label: string; to: string }[]; here: string }) {
  const links = way.map(({ label, to }) => ({
    id: to,
    link: (
      <Link to={to} className="hover:text-fg hover:underline">
        {label}
      </Link>
    ),
  }))
  return <Crumbs way={links} here={here} mono />
}
