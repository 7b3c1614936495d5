import { pageSize } from '@masthead/contract/kernel/page'
import type { Filter } from './filters.ts'
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

/** What the address says of a table: page, order, search, columns and filters, each key behind the table's prefix. */
export function useTableAddress({ prefix, defaultSort, filters }: { prefix: string; defaultSort: string; filters: readonly Filter[] }) {
  const none = Object.fromEntries(filters.map((filter) => [filter.key, filter.multiple ? ([] as string[]) : '']))
  const plain = { page: 1, size: pageSize, after: '', sort: defaultSort, search: '', columns: [] as string[], ...none }
  const [address, write] = useAddressState(withPrefix(prefix, plain))
  const read = (name: string): unknown => address[prefix + name]
  const view: View = {
    page: read('page') as number,
    size: Math.min(read('size') as number, 100),
    after: read('after') as string,
    sort: read('sort') as string,
    search: read('search') as string,
    columns: read('columns') as string[],
  }
  const change = (patch: Partial<View>, how?: { push: boolean }) => write(withPrefix(prefix, patch) as never, how) // keys are only known at run time
  return {
    ...view,
    filters: Object.fromEntries(filters.map(({ key }) => [key, read(key)])) as FilterValues,
    change,
    /** A change of what is listed begins again on the first page. */
    refine: (patch: Partial<View> | FilterValues) => change({ page: 1, after: '', ...patch }),
    clear: () => change({ page: 1, after: '', search: '', ...none }),
  }
}

type Values = Record<string, string | number | string[]>
const withPrefix = (prefix: string, values: object) =>
  Object.fromEntries(Object.entries(values as Values).map(([key, value]) => [prefix + key, value]))
