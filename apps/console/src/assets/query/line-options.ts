import { queryFields } from '@masthead/contract/assets/query/query-fields'
import { listFleets } from '@masthead/contract/alpon-fleets/operations'
import { listDataPools } from '@masthead/contract/datapools/operations'
import { countries } from '@masthead/contract/networks/countries'
import { listNetworks } from '@masthead/contract/networks/operations'
import { lacking } from '../../api/may.ts'
import { q, queries } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import type { Option } from '../../ui/OptionList.tsx'
import { countryName } from '../../ui/country-name.ts'

const byLabel = (options: Option[]) => options.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))

/** What a filter that is written into the search line offers; nothing of what one may not see. */
const offers = {
  block: () => Object.entries(queryFields.block.choices).map(([value, label]) => ({ value, label })),
  silent: () => [
    { value: '>1d', label: 'More than a day' },
    { value: '>7d', label: 'More than 7 days' },
    { value: '>30d', label: 'More than 30 days' },
  ],
  seen: () => [
    { value: '<1h', label: 'Within an hour' },
    { value: '<1d', label: 'Within a day' },
    { value: 'never', label: 'Never' },
  ],
  usage: () => [
    { value: '<1KB', label: 'Nothing, or less than 1 KB' },
    { value: '>10MB', label: 'More than 10 MB' },
    { value: '>100MB', label: 'More than 100 MB' },
    { value: '>1GB', label: 'More than 1 GB' },
  ],
  limit: () => [
    { value: 'none', label: 'None' },
    { value: '<100MB', label: 'Less than 100 MB' },
    { value: '>1GB', label: 'More than 1 GB' },
  ],
  country: () => byLabel([...new Set(countries)].map((code) => ({ value: code, label: countryName(code) }))),
  operator: async () => {
    const { items } = await queries.fetchQuery(q(listNetworks, {}))
    return byLabel(items.map(({ mccmnc, name }) => ({ value: mccmnc, label: name ?? mccmnc })))
  },
  pool: async () => {
    if (lacking(useSession.getState().user, listDataPools) !== null) return []
    const { items } = await queries.fetchQuery(q(listDataPools, { query: { page_size: 100 } }))
    return byLabel(items.map(({ name }) => ({ value: name, label: name })))
  },
  fleet: async () => {
    if (lacking(useSession.getState().user, listFleets) !== null) return []
    const { items } = await queries.fetchQuery(q(listFleets, { query: { page_size: 100 } }))
    return byLabel(items.map(({ name }) => ({ value: name, label: name })))
  },
} satisfies Record<string, () => Option[] | Promise<Option[]>>

export const lineOptions = async (key: keyof typeof offers): Promise<Option[]> => offers[key]()
