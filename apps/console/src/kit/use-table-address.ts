import { pageSize } from '@masthead/contract/kernel/page'
import { useState } from 'react'
import type { Filter } from './filters.ts'
import { rememberedView, rememberView } from './remembered-view.ts'
import { useAddressState } from './use-address-state.ts'

export type FilterValues = Record<string, string | string[]>

type View = {
  page: number
  size: number
  /** Where a page beyond the first 10,000 rows begins. */
  after: string
  sort: string
  search: string
  columns: string[]
}

type Table = {
  prefix: string
  columns: readonly { sort?: string }[]
  defaultSort: string
  filters: readonly Filter[]
  remember?: string | undefined
}

/** What the address says of a table: page, order, search, columns and filters, each key behind the table's prefix. What it does not say of columns and size, this browser may remember. */
export function useTableAddress({ prefix, columns, defaultSort, filters, remember }: Table) {
  const [kept] = useState(() => rememberedView(remember) ?? { columns: [], size: pageSize })
  const none = Object.fromEntries(filters.map((filter) => [filter.key, filter.multiple ? ([] as string[]) : '']))
  const plain = { page: 1, after: '', sort: defaultSort, search: '', ...kept, ...none }
  const [address, write] = useAddressState(withPrefix(prefix, plain))
  const read = (name: string): unknown => address[prefix + name]
  const sort = read('sort') as string
  const view: View = {
    page: read('page') as number,
    size: Math.min(read('size') as number, 100),
    after: read('after') as string,
    // An address may be older than the columns: nothing is ordered by one that is gone.
    sort: columns.some((column) => column.sort === sort.replace(/^-/, '')) ? sort : defaultSort,
    search: read('search') as string,
    columns: read('columns') as string[],
  }
  const change = (patch: Partial<View>, how?: { push: boolean | ((before: Values) => boolean) }) => {
    if (remember && (patch.columns || patch.size)) rememberView(remember, { columns: view.columns, size: view.size, ...patch })
    write(withPrefix(prefix, patch) as never, how) // keys are only known at run time
  }
  return {
    ...view,
    filters: Object.fromEntries(filters.map(({ key }) => [key, read(key)])) as FilterValues,
    change,
    /** A change of what is listed begins again on the first page. */
    refine: (patch: Partial<View> | FilterValues) =>
      change({ page: 1, after: '', ...patch }, { push: (before) => isStep(String(before[`${prefix}search`]), patch) }),
    clear: () => change({ page: 1, after: '', search: '', ...none }, { push: true }),
  }
}

/** Whether the back button is to come back before a change: not between the letters of one search, nor to another count of rows. */
export const isStep = (searched: string, { search, ...rest }: Partial<View> | FilterValues) =>
  Object.keys(rest).some((key) => key !== 'size') || (search !== undefined && (search === '') !== (searched === ''))

type Values = Record<string, string | number | string[]>
const withPrefix = (prefix: string, values: object) =>
  Object.fromEntries(Object.entries(values as Values).map(([key, value]) => [prefix + key, value]))
