import type { AssetView } from '@masthead/contract/assets/views/view-operations'
import type { Filter } from '../../kit/filters.ts'
import { assetLine } from '../query/asset-line.ts'

/** What a view keeps of the address of the list. */
export type Kept = Pick<AssetView, 'q' | 'columns' | 'sort'>

/** Fields of the line for the filters that stand beside it in the address. */
const lineKeys: Record<string, string> = {
  tag: 'tag',
  network_group: 'group',
  type: 'type',
  sim_status: 'status',
  state: 'state',
  online: 'connection',
  attention: 'attention',
}
const written: Record<string, string> = { true: 'online', false: 'offline' }

/** The list as its address says it, filters written into the line. Tags and groups by their names, as far as `filters` know them. */
export function keptOf(params: URLSearchParams, filters: readonly Filter[]): Kept {
  const line = params.get('search')?.trim() ?? ''
  const conditions = Object.entries(lineKeys).flatMap(([key, field]) => {
    const options = filters.find((filter) => filter.key === key)?.options ?? []
    const named = key === 'tag' || key === 'network_group'
    const words = params.getAll(key).map((value) => (named ? (options.find((option) => option.value === value)?.label ?? value) : value))
    const values = words.filter(Boolean).map((word) => (key === 'online' ? written[word]! : word))
    return values.length > 0 ? [assetLine.write(field, values)] : []
  })
  const whole = conditions.length > 0 && assetLine.read(line).alternatives ? `(${line})` : line
  const columns = params.getAll('columns').filter(Boolean)
  return { q: [whole, ...conditions].filter(Boolean).join(' '), sort: (params.get('sort') || 'name') as Kept['sort'], columns }
}

/** Where the list is shown as a view has it. */
export function viewAddress({ id, q, sort, columns }: Pick<AssetView, 'id'> & Kept): string {
  const params = new URLSearchParams({ view: id })
  if (q) params.set('search', q)
  if (sort !== 'name') params.set('sort', sort)
  for (const column of columns) params.append('columns', column)
  return `/assets?${params}`
}

export const isAsKept = (view: Kept, now: Kept) => view.q === now.q && view.sort === now.sort && view.columns.join() === now.columns.join()
