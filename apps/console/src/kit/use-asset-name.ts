import { useQuery } from '@tanstack/react-query'
import { getAsset } from '@masthead/contract/assets/operations'
import { q } from '../api/query.ts'
import { useDenied } from './ActionButton.tsx'

/** What the asset of an id is called, for who may see it; else its id. */
export function useAssetName(id: string): string {
  const denied = useDenied()
  const { data } = useQuery({ ...q(getAsset, { params: { asset_id: id } }), enabled: id !== '' && denied(getAsset) === null })
  return data?.name ?? id
}
