import type { Asset } from '@masthead/contract/assets/asset'
import { updateAsset } from '@masthead/contract/assets/operations'
import { useRef, useState } from 'react'
import type { Failure } from '../api/client.ts'
import { useOperation } from '../api/query.ts'
import { toast } from '../ui/toast.ts'

/** The tags of an asset as chosen, and how to choose others. Shown at once; sent one after the other, the last choice winning. */
export function useAssetTags(asset: Pick<Asset, 'id' | 'tags'>) {
  const { mutateAsync } = useOperation(updateAsset)
  const [wanted, setWanted] = useState<string[] | null>(null)
  const next = useRef<string[] | null>(null)
  const busy = useRef(false)
  const choose = async (ids: string[]) => {
    setWanted(ids)
    next.current = ids
    if (busy.current) return
    busy.current = true
    while (next.current) {
      const tags: string[] = next.current
      next.current = null
      try {
        await mutateAsync({ params: { asset_id: asset.id }, body: { tags } })
      } catch (failure) {
        next.current = null
        toast.failure(failure as Failure, { title: 'The tags were not changed' })
      }
    }
    busy.current = false
    setWanted(null)
  }
  return { chosen: wanted ?? asset.tags.map((tag) => tag.id), choose: (ids: string[]) => void choose(ids) }
}
