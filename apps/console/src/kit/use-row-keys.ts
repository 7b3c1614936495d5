import { useEffect, useRef, type RefObject } from 'react'

const controls = 'a[href], button:not([disabled])'

/**
 * Keys for the rows of the table inside: J and K go to what leads into the next row and the one before, where Enter opens it; X ticks its row.
 * Letters where one writes, and quiet behind a dialog or an open menu.
 */
export function useRowKeys(on: boolean): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!on) return
    const press = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement
      const key = event.key.toLowerCase()
      if (!'jkx'.includes(key) || key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (
        at.isContentEditable ||
        /^(TEXTAREA|SELECT)$/.test(at.tagName) ||
        (at.tagName === 'INPUT' && !/checkbox|radio/.test((at as HTMLInputElement).type))
      )
        return
      if (document.querySelector('dialog[open], [role=menu], [role=listbox]')) return
      const rows = [...(place.current?.querySelectorAll<HTMLTableRowElement>('tbody > tr:has(a[href], button)') ?? [])]
      const here = rows.findIndex((row) => row.contains(at))
      if (key === 'x') {
        rows[here]?.querySelector<HTMLInputElement>('[data-cell=check] input')?.click()
        return
      }
      const row = rows[key === 'j' ? Math.min(here + 1, rows.length - 1) : Math.max(here - 1, 0)]
      const lead = row?.querySelector<HTMLElement>(`td:not([data-cell]) :is(${controls})`) ?? row?.querySelector<HTMLElement>(controls)
      lead?.focus()
      lead?.scrollIntoView({ block: 'nearest' })
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [on])
  return place
}
