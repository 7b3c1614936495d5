import { useEffect, type ReactNode } from 'react'

/** The head of a screen with its only h1. Screens of one thing draw it themselves: `crumbs` above, `meta` below the name, `end` at the right. */
export function Banner({
  title,
  subtitle,
  crumbs,
  aside,
  edit,
  meta,
  end,
}: {
  title: string
  subtitle?: ReactNode
  crumbs?: ReactNode
  /** Right behind the title: an edit button. */
  aside?: ReactNode
  /** Stands in the place of the title while that is being changed. */
  edit?: ReactNode
  meta?: ReactNode
  end?: ReactNode
}) {
  useEffect(() => {
    document.title = title === 'Hello' ? 'Overview · Masthead' : `${title} · Masthead`
  }, [title])
  return (
    <div className={crumbs ? 'pt-5' : 'pt-5 @md:pt-6'}>
      {crumbs}
      <div className={`flex flex-wrap items-start gap-x-4 gap-y-3 pb-4 ${crumbs ? 'pt-2' : '@md:pb-5'}`}>
        <div className="min-w-40 flex-1 @min-[480px]:min-w-72">
          <div className="flex items-center gap-1">
            <h1 className={edit ? 'sr-only' : 'tight min-w-0 text-xl font-semibold wrap-anywhere'}>{title}</h1>
            {edit ? <div className="min-w-0 flex-1">{edit}</div> : aside}
          </div>
          {subtitle && <p className="mt-0.5 max-w-[68ch] text-fg-2 text-pretty">{subtitle}</p>}
          {meta && <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-fg-2">{meta}</div>}
        </div>
        <div id={crumbs ? undefined : 'banner-end'} className="flex max-w-full flex-wrap items-center gap-2 empty:hidden">
          {end}
        </div>
      </div>
    </div>
  )
}
