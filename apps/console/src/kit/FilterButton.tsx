import { ListFilter } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Popover } from '../ui/Popover.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import type { Filter } from './filters.ts'
import { later } from './later.tsx'
import type { FilterValues } from './use-table-address.ts'

const FilterList = later(() => import('./FilterList.tsx').then((file) => file.FilterList), <SkeletonLines />)

/** Opens the filters of a list: first which, then what. */
export function FilterButton({
  filters,
  values,
  onChange,
}: {
  filters: readonly Filter[]
  values: FilterValues
  onChange: (patch: FilterValues) => void
}) {
  return (
    <Popover trigger={<Button icon={ListFilter}>Filter</Button>} label="Filters" className="w-64 p-1">
      {(close) => <FilterList filters={filters} values={values} onChange={onChange} close={close} />}
    </Popover>
  )
}
