import { Accordion as Base } from '@base-ui/react/accordion'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

export type AccordionItem = {
  id: string
  title: string
  /** At the right end: a count, a state. */
  note?: ReactNode
  /** Why it cannot be opened, in words. */
  disabled?: string
  content: ReactNode
}

/** Parts of which one is open, or several. Enter and Space open and close; the browser's search finds what is closed. */
export function Accordion({
  items,
  multiple = false,
  open,
  onChange,
  heading = 3,
}: {
  items: readonly AccordionItem[]
  multiple?: boolean
  /** Ids of the open ones, when the caller keeps them. */
  open?: string[]
  onChange?: (open: string[]) => void
  /** The level of its headings on the page. */
  heading?: 2 | 3 | 4
}) {
  const Heading = `h${heading}` as const
  return (
    <Base.Root
      multiple={multiple}
      hiddenUntilFound
      {...(open && { value: open })}
      {...(onChange && { onValueChange: (next: string[]) => onChange(next) })}
      className="divide-y divide-line rounded-lg border border-line"
    >
      {items.map((item) => (
        <Base.Item key={item.id} value={item.id} disabled={Boolean(item.disabled)}>
          <Base.Header render={<Heading />}>
            <Base.Trigger className="group flex min-h-11 w-full items-center gap-2 px-4 py-2 text-left font-medium hover:bg-hover focus-visible:-outline-offset-2 data-disabled:cursor-not-allowed data-disabled:text-fg-3 data-disabled:hover:bg-transparent">
              <Icon of={ChevronRight} size={14} className="text-fg-3 transition-transform duration-150 group-data-panel-open:rotate-90" />
              {item.title}
              <span className="ml-auto text-xs font-normal text-fg-3">{item.disabled ?? item.note}</span>
            </Base.Trigger>
          </Base.Header>
          <Base.Panel>
            <div className="pt-1 pr-4 pb-4 pl-9.5 text-fg-2">{item.content}</div>
          </Base.Panel>
        </Base.Item>
      ))}
    </Base.Root>
  )
}
