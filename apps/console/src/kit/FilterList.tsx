import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/Icon.tsx'
import { OptionList } from '../ui/OptionList.tsx'
import type { Filter } from './filters.ts'
import { useChosen } from './use-chosen.ts'
import type { FilterValues } from './use-table-address.ts'

/** The filters of a list: first which, then what. */
export function FilterList({
  filters,
  values,
  onChange,
  close,
}: {
  filters: readonly Filter[]
  values: FilterValues
  onChange: (patch: FilterValues) => void
  close: () => void
}) {
  const [key, setKey] = useState(filters.length === 1 ? filters[0]!.key : null)
  const filter = filters.find((one) => one.key === key)
  if (!filter)
    return (
      <ul>
        {filters.map((one, nth) => {
          const count = [values[one.key] ?? []].flat().filter(Boolean).length
          return (
            <li key={one.key}>
              <button
                type="button"
                className="option"
                // The panel was open before they came.
                autoFocus={nth === 0}
                onClick={() => (one.onOpen?.(), setKey(one.key))}
              >
                {one.label}
                <span className="ml-auto inline-flex items-center gap-1 text-xs text-fg-3">
                  {count > 0 && count}
                  <Icon of={ChevronRight} size={14} />
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    )
  return (
    <>
      {filters.length > 1 && (
        <button type="button" className="option mb-1 text-xs text-fg-2" onClick={() => setKey(null)} autoFocus>
          <Icon of={ChevronLeft} size={14} />
          {filter.label}
        </button>
      )}
      <FilterOptions
        filter={filter}
        chosen={[values[filter.key] ?? []].flat()}
        onChange={(chosen) => {
          onChange({ [filter.key]: filter.multiple ? chosen : (chosen[0] ?? '') })
          if (!filter.multiple) close()
        }}
      />
    </>
  )
}

function FilterOptions({ filter, chosen, onChange }: { filter: Filter; chosen: string[]; onChange: (chosen: string[]) => void }) {
  const [now, choose] = useChosen(chosen.filter(Boolean), onChange)
  const list = useRef<HTMLDivElement>(null)
  // The panel was open before they came: where it still has the focus itself, the first of them gets it.
  useEffect(() => {
    if (document.activeElement?.contains(list.current)) list.current!.querySelector<HTMLElement>('input, [role=option]')?.focus()
  }, [])
  return (
    <div ref={list}>
      <OptionList
        label={filter.label}
        options={filter.options}
        chosen={now}
        multiple={filter.multiple ?? false}
        onToggle={(value) => choose(now.includes(value) ? now.filter((one) => one !== value) : filter.multiple ? [...now, value] : [value])}
      />
    </div>
  )
}
