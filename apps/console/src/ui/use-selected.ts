import { useState } from 'react'

/** Which rows are ticked: some by their ids, or all that match the list's filters but some. */
export type Selected = { all: boolean; ids: ReadonlySet<string> }

/** No ticks. */
export const nothingSelected: Selected = { all: false, ids: new Set() }

/** How many rows that is, of so many that match. */
export const selectedCount = ({ all, ids }: Selected, total: number) => (all ? Math.max(0, total - ids.size) : ids.size)

/** Whether a row is ticked. */
export const isSelected = ({ all, ids }: Selected, id: string) => ids.has(id) !== all

/** Ticks rows, or takes their ticks off. */
export function select({ all, ids }: Selected, some: readonly string[], on: boolean): Selected {
  const next = new Set(ids)
  for (const id of some) {
    if (on !== all) next.add(id)
    else next.delete(id)
  }
  return { all, ids: next }
}

/** The ticks of a list. They stay from page to page; `all` takes every row that matches, also those of other pages. */
export function useSelected(page: readonly string[], total: number) {
  const [selected, setSelected] = useState(nothingSelected)
  const onPage = page.filter((id) => isSelected(selected, id))
  return {
    selected,
    count: selectedCount(selected, total),
    onPage: new Set(onPage) as ReadonlySet<string>,
    /** Whether the rows of the page are ticked: all, some or none. */
    pageState: onPage.length === 0 ? ('none' as const) : onPage.length === page.length ? ('all' as const) : ('some' as const),
    toggle: (id: string, on: boolean) => setSelected(select(selected, [id], on)),
    togglePage: (on: boolean) => setSelected(select(selected, page, on)),
    all: () => setSelected({ all: true, ids: new Set() }),
    clear: () => setSelected(nothingSelected),
  }
}
