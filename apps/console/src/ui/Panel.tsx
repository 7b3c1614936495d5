import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'

/** An outline on the page's own background, with a head. `flush` lets a table or a list reach the edges. `end` stands at the right of the head. */
export function Panel({
  title,
  note,
  end,
  flush = false,
  oneOfMany = false,
  className,
  children,
}: {
  title?: ReactNode
  note?: ReactNode
  end?: ReactNode
  flush?: boolean
  /** One of a list of panels alike: no place of its own for a screen reader to go to. */
  oneOfMany?: boolean
  className?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={title && !oneOfMany ? id : undefined}
      className={cx('min-w-0 rounded-lg border border-line bg-bg', className)}
    >
      {title && <PanelHead id={id} title={title} note={note} end={end} />}
      <div className={flush ? undefined : 'p-4'}>{children}</div>
    </section>
  )
}

type PanelHeadProps = { title: ReactNode; note?: ReactNode; end?: ReactNode; line?: boolean }

/** The head of a panel, with its h2, which names the panel for a screen reader. */
export function PanelHead({ id, title, note, end, line = true }: PanelHeadProps & { id: string }) {
  return (
    <div className={cx('flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-4 py-1.5', line && 'border-b border-line')}>
      <h2 id={id} className="min-w-0 text-sm font-semibold">
        {title}
      </h2>
      {note && <span className="text-xs text-fg-3">{note}</span>}
      {end && <div className="ml-auto flex items-center gap-2">{end}</div>}
    </div>
  )
}

/** One outline, its cells divided by hairlines: for figures that belong together. Give it grid columns by class. */
export function Frame({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cx('grid gap-px overflow-clip rounded-lg border border-line bg-line', className)}>{children}</div>
}

/** One cell of a Frame. `flush` lets what is in it reach the edges. */
export function Cell({ flush = false, className, children }: { flush?: boolean; className?: string; children: ReactNode }) {
  return <div className={cx('min-w-0 bg-bg', !flush && 'p-4', className)}>{children}</div>
}

/** A cell of a Frame that is a panel: with a head, and a name for a screen reader. */
export function PanelCell({ className, children, ...head }: PanelHeadProps & { className?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={cx('min-w-0 bg-bg', className)}>
      <PanelHead id={id} {...head} />
      {children}
    </section>
  )
}

/** A figure with its name and what it is made of. Put it in a Cell. On its way, a figure with parts keeps their place. */
export function Stat(props: { label: ReactNode; value: ReactNode; unit?: ReactNode; parts?: ReactNode; loading?: boolean }) {
  const { label, value, unit, loading = false } = props
  const parts = loading && 'parts' in props ? <StatPartSkeleton /> : props.parts
  return (
    <div className="grid content-start gap-0.5">
      <span className="text-xs text-fg-3">{label}</span>
      {loading ? (
        <span className="skeleton my-1.5 h-4 w-20" />
      ) : (
        <span className="tight text-xl font-semibold whitespace-nowrap tabular-nums">
          {value}
          {unit && <span className="text-sm font-normal tracking-normal text-fg-3"> {unit}</span>}
        </span>
      )}
      {parts && <dl className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1">{parts}</dl>}
    </div>
  )
}

/** One part of a figure: its value above, its name below. */
export function StatPart({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="grid">
      <dt className="order-1 text-xs text-fg-3">{label}</dt>
      <dd className="flex items-center gap-[5px] font-medium">{children}</dd>
    </div>
  )
}

/** A part on its way. */
const StatPartSkeleton = () => (
  <StatPart label={<span className="skeleton my-1 h-2 w-14" />}>
    <span className="skeleton my-[5px] w-9" />
  </StatPart>
)

/** Names and values under each other. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>
}

/** One name and its value, in Facts. */
export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[112px_minmax(0,1fr)] items-center gap-x-2 py-1.5">
      <dt className="text-fg-3">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
