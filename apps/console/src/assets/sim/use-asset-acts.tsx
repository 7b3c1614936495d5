import type { Asset } from '@masthead/contract/assets/asset'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { AssetAct } from './asset-acts.ts'

const ActDialog = lazy(() => import('./ActDialog.tsx').then((module) => ({ default: module.ActDialog })))

/** Opens the dialog of an act; the asset in it is the one that was meant, as it is now. */
export function useAssetActs(asset: Asset): { open: (act: AssetAct) => void; dialog: ReactNode } {
  const [act, setAct] = useState<AssetAct | null>(null)
  const dialog = act && (
    <Suspense>
      <ActDialog asset={asset} act={act} onClose={() => setAct(null)} />
    </Suspense>
  )
  return { open: setAct, dialog }
}
