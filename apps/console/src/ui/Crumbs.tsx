import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'

/** The way here: links back, and at the end what one sees. The links are the caller's, since this knows no router. */
export function Crumbs({
  way,
  here,
  mono = false,
  label = 'Breadcrumbs',
}: {
  way: readonly { id: string; link: ReactNode }[]
  here: string
  mono?: boolean
  label?: string
}) {
  return (
    <nav aria-label={label}>
      <ol className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-xs text-fg-3">
        {way.map((step) => (
          <li key={step.id} className="crumb flex items-center gap-1.5">
            {step.link}
            <Icon of={ChevronRight} size={12} />
          </li>
        ))}
        <li aria-current="page" className={cx('min-w-0 truncate', mono && 'mono')}>
          {here}
        </li>
      </ol>
    </nav>
  )
}
