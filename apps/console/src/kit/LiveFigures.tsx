import { LiveMark } from './LiveMark.tsx'
import { RelativeTime } from './RelativeTime.tsx'

/** `LiveMark`, and how old figures are that serve for a while. `as_of`: when they were read; null: just now. */
export const LiveFigures = ({ as_of }: { as_of: string | null | undefined }) => (
  <span className="inline-flex flex-wrap items-center justify-end gap-x-2 text-xs text-fg-2">
    <LiveMark />
    {as_of && (
      <span className="whitespace-nowrap">
        Figures of <RelativeTime at={as_of} />
      </span>
    )}
  </span>
)
