import { ChevronRight } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { CopyButton } from './CopyButton.tsx'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { jsonRows, type Json } from './json-rows.ts'

const kinds = {
  string: 'text-ok-fg',
  number: 'text-info-fg',
  boolean: 'text-hold-fg',
  null: 'text-fg-3',
  object: 'text-fg-3',
  array: 'text-fg-3',
}

/**
 * A JSON value to look into: objects and lists open and close. Arrow keys walk the lines, Right opens, Left closes or goes to what it is in;
 * the whole can be copied.
 */
export function JsonView({
  label,
  value,
  open = 2,
  whole = false,
}: {
  label: string
  value: Json
  /** How many levels are open at first. */ open?: number
  /** As high as its lines, where what is around it scrolls. */ whole?: boolean
}) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState('$')
  const tree = useRef<HTMLDivElement>(null)
  const isOpen = (path: string, depth: number) => depth < open !== toggled.has(path)
  const rows = jsonRows(value, isOpen)
  const text = useMemo(() => JSON.stringify(value, null, 2), [value])
  const current = rows.some((row) => row.path === at) ? at : '$'
  const toggle = (path: string) => {
    const next = new Set(toggled)
    if (!next.delete(path)) next.add(path)
    setToggled(next)
  }
  const go = (path: string | undefined) => {
    if (path === undefined) return
    setAt(path)
    requestAnimationFrame(() => tree.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus())
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const place = rows.findIndex((row) => row.path === current)
    const row = rows[place]!
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(rows[place + 1]?.path),
      ArrowUp: () => go(rows[place - 1]?.path),
      Home: () => go(rows[0]?.path),
      End: () => go(rows.at(-1)?.path),
      ArrowRight: () => (row.opens && !row.isOpen ? toggle(row.path) : row.opens && go(rows[place + 1]?.path)),
      ArrowLeft: () => (row.opens && row.isOpen ? toggle(row.path) : go(row.parent)),
      Enter: () => row.opens && toggle(row.path),
      ' ': () => row.opens && toggle(row.path),
    }
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <div className="relative min-w-0 rounded-lg border border-line bg-sunken">
      <div className="absolute top-1 right-1">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      <div
        ref={tree}
        role="tree"
        aria-label={label}
        className={cx('mono overflow-auto p-2 pr-10 text-xs', !whole && 'max-h-96')}
        onKeyDown={onKeyDown}
      >
        {rows.map((row) => (
          <div
            key={row.path}
            role="treeitem"
            aria-level={row.depth + 1}
            aria-expanded={row.opens ? row.isOpen : undefined}
            aria-selected={row.path === current}
            tabIndex={row.path === current ? 0 : -1}
            data-path={row.path}
            className={cx(
              'json-row flex items-start gap-1 rounded-sm py-px focus-visible:-outline-offset-2',
              row.opens && 'cursor-pointer'
            )}
            style={{ paddingLeft: row.depth * 16 + (row.opens ? 0 : 18) }}
            onClick={() => {
              setAt(row.path)
              if (row.opens && getSelection()?.isCollapsed !== false) toggle(row.path)
            }}
          >
            {row.opens && (
              <Icon of={ChevronRight} size={14} className={cx('mt-px text-fg-3 transition-transform', row.isOpen && 'rotate-90')} />
            )}
            <span className="min-w-0 wrap-anywhere">
              {row.name !== null && <span className="text-fg-2">{row.name}: </span>}
              <span className={kinds[row.kind]}>{row.words}</span>
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
