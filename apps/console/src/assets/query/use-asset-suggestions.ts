import { useQuery } from '@tanstack/react-query'
import { listNetworks } from '@masthead/contract/networks/operations'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { useNetworkGroups } from '../../network-groups/index.ts'
import { useTags } from '../../tags/index.ts'
import type { Suggest } from '../../ui/SearchSuggestions.tsx'

type Logic = (typeof import('./asset-suggestions.ts'))['suggestAssets']

/** What the search of the assets list suggests: its words and the names of the account come when it is first opened. */
export function useAssetSuggestions(): { onFocus: () => void; suggest: Suggest } {
  const [logic, setLogic] = useState<Logic | null>(null)
  const wanted = logic !== null
  const tags = useTags(wanted)?.map(({ name }) => name)
  const groups = useNetworkGroups(wanted)?.map(({ name }) => name)
  const networks = useQuery({ ...q(listNetworks, {}), enabled: wanted }).data?.items
  return {
    // Without it one types as ever.
    onFocus: () => void import('./asset-suggestions.ts').then(({ suggestAssets }) => setLogic(() => suggestAssets)).catch(() => {}),
    suggest: (text, caret) =>
      logic?.(text, caret, {
        ...(tags && { tags }),
        ...(groups && { groups }),
        ...(networks && { operators: networks.map(({ mccmnc, name }) => ({ code: mccmnc, name: name ?? mccmnc })) }),
      }) ?? [],
  }
}
