import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { Icon } from '../ui/Icon.tsx'

/** The way here: where it leads back to, and at the end what one sees. */
export function Breadcrumbs({ way, here }: { way: readonly { label: string; to: string }[]; here: string }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="flex items-center gap-1.5 text-xs text-fg-3">
        {way.map((step) => (
          <li key={step.to} className="flex items-center gap-1.5">
            <Link to={step.to} className="hover:text-fg hover:underline">
              {step.label}
            </Link>
            <Icon of={ChevronRight} size={12} />
          </li>
        ))}
        <li aria-current="page" className="mono min-w-0 truncate">
          {here}
        </li>
      </ol>
    </nav>
  )
}
