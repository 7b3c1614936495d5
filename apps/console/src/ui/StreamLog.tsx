import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, WrapText } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { cx } from './cx.ts'
import { SearchField } from './SearchField.tsx'

export type LogLine = {
  id: string
  /** As it is shown: "14:31:48.120". */
  time: string
  level: 'debug' | 'info' | 'warn' | 'error'
  text: string
}

const levels = { debug: 'text-fg-3', info: 'text-fg', warn: 'text-warn-fg', error: 'text-bad-fg' }

/**
 * Lines as they come. It follows the last one until one scrolls up, then stays and counts what is new. It can be searched, its lines broken
 * or not, and copied; the text scrolls by arrow keys when it has the focus. Only visible lines are drawn.
 */
export function StreamLog({
  label,
  lines,
  height = 280,
  state,
  empty = 'No output yet.',
}: {
  label: string
  lines: readonly LogLine[]
  height?: number
  /** What the stream does, in words beside its name: "Live", "Ended". */
  state?: React.ReactNode
  empty?: string
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [wrap, setWrap] = useState(false)
  const [search, setSearch] = useState('')
  // How many lines there were when one scrolled up; null while it follows.
  const [held, setHeld] = useState<number | null>(null)
  const shown = useMemo(() => {
    const wanted = search.toLowerCase()
    return wanted === '' ? lines : lines.filter((line) => line.text.toLowerCase().includes(wanted))
  }, [lines, search])
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    getItemKey: (at) => shown[at]!.id,
    overscan: 10,
  })
  const items = virtual.getVirtualItems()
  const total = virtual.getTotalSize()
  useLayoutEffect(() => {
    if (held === null && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [held, total, shown.length, wrap])
  const top = useRef(0)
  const scrolled = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) => {
    const left = scrollHeight - scrollTop - clientHeight
    const isUp = scrollTop < top.current - 1
    top.current = scrollTop
    // The first pixel upwards holds it, or an even scroll would be pulled back before it is seen as one.
    setHeld((before) => (left < 1 || (left < 24 && !isUp) ? null : (before ?? lines.length)))
  }
  const fresh = held === null ? 0 : Math.max(0, lines.length - held)
  const text = () => shown.map((line) => `${line.time} ${line.level.toUpperCase()} ${line.text}`).join('\n')
  return (
    <section aria-label={label} className="relative min-w-0 overflow-clip rounded-lg border border-line">
      <div className="flex flex-wrap items-center gap-2 border-b border-line bg-chrome py-1 pr-1 pl-3">
        <span className="text-xs text-fg-2">{state}</span>
        <span className="ml-auto flex items-center gap-1">
          <span className="w-40">
            <SearchField label={`Search ${label}`} placeholder="Search" size="small" value={search} onChange={setSearch} wait={0} />
          </span>
          <IconButton
            label="Wrap long lines"
            icon={WrapText}
            size="small"
            aria-pressed={wrap}
            color={wrap ? 'secondary' : 'ghost'}
            onClick={() => setWrap(!wrap)}
          />
          <CopyButton text={text()} label="Copy all lines" />
        </span>
      </div>
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        className="mono overflow-auto bg-sunken text-xs focus-visible:-outline-offset-2"
        style={{ height }}
        onScroll={({ currentTarget }) => scrolled(currentTarget)}
      >
        {shown.length === 0 ? (
          <p className="p-3 text-fg-3">{lines.length === 0 ? empty : `Nothing matches “${search}”`}</p>
        ) : (
          <div className="relative my-2" style={{ height: total }}>
            <div className="min-w-full" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
              {items.map(({ index, key }) => {
                const line = shown[index]!
                return (
                  <div
                    key={key}
                    ref={virtual.measureElement}
                    data-index={index}
                    className={cx('flex gap-3 px-3 leading-5', wrap ? 'wrap-anywhere whitespace-pre-wrap' : 'w-max whitespace-pre')}
                  >
                    <span className="flex-none text-fg-3 select-none">{line.time}</span>
                    <span className={cx('w-9 flex-none select-none', levels[line.level])}>{line.level}</span>
                    <span className={levels[line.level]}>{line.text}</span>
                  </div>
                )
              })}
            </div>
          </div>
        )}
      </div>
      {held !== null && (
        <Button size="small" icon={ArrowDown} className="absolute right-4 bottom-3 shadow-float" onClick={() => setHeld(null)}>
          {fresh > 0 ? `${fresh.toLocaleString('en')} new ${fresh === 1 ? 'line' : 'lines'}` : 'To the end'}
        </Button>
      )}
    </section>
  )
}
