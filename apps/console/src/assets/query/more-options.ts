import { listDataPools } from '@masthead/contract/datapools/operations'
import { countries } from '@masthead/contract/networks/countries'
import { listNetworks } from '@masthead/contract/networks/operations'
import { q, queries } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { lacking } from '../../api/may.ts'
import type { Option } from '../../ui/OptionList.tsx'
import { countryName } from '../../ui/country-name.ts'

const byLabel = (options: Option[]) => options.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))

/** What the filters by country, operator and data pool offer; nothing of what one may not see or cannot be asked for now. */
export async function moreOptions(): Promise<Record<'country' | 'operator' | 'pool', Option[]>> {
  const mayPools = lacking(useSession.getState().user, listDataPools) === null
  const [networks, pools] = await Promise.all([
    queries.fetchQuery(q(listNetworks, {})).catch(() => null),
    mayPools ? queries.fetchQuery(q(listDataPools, { query: { page_size: 100 } })).catch(() => null) : null,
  ])
  return {
    country: byLabel([...new Set(countries)].map((code) => ({ value: code, label: countryName(code) }))),
    operator: byLabel((networks?.items ?? []).map(({ mccmnc, name }) => ({ value: mccmnc, label: name ?? mccmnc }))),
    pool: byLabel((pools?.items ?? []).map(({ name }) => ({ value: name, label: name }))),
  }
}
