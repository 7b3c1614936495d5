import { RotateCw, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import { RequestNumber, type Said } from './FailureNotice.tsx'
import { Icon } from './Icon.tsx'
import { StateShape } from './StateShape.tsx'

const box = 'grid content-center justify-items-center gap-1 px-6 py-10 text-center'

/** Nothing here: what the thing is, and the first step. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
  className,
}: {
  icon?: LucideIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
  className?: string
}) {
  return (
    <div className={cx(box, className)}>
      {icon && <Icon of={icon} size={24} className="mb-2 text-fg-3" />}
      <h2 className="text-md font-semibold">{title}</h2>
      {children && <p className="max-w-[44ch] text-fg-2 text-pretty">{children}</p>}
      {actions && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

const sentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`)

/** It could not be loaded: what happened, what was kept, what to do. */
export function ErrorState({ title, failure, kept, onRetry }: { title: string; failure: Said; kept?: string; onRetry?: () => void }) {
  return (
    <div className={box} role="alert">
      <StateShape shape="octagon" tone="bad" size={20} className="mb-2" />
      <h2 className="text-md font-semibold">{title}</h2>
      <p className="max-w-[44ch] text-fg-2 text-pretty">
        {sentence(failure.detail)} {kept}
      </p>
      <RequestNumber of={failure} />
      {onRetry && (
        <div className="mt-4">
          <Button icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}
