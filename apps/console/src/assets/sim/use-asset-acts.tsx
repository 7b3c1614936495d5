import type { Asset } from '@masthead/contract/assets/asset'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { AssetAct, DialogAct } from './asset-acts.ts'
import { rulesPath } from './rules-path.ts'

const ActDialog = lazy(() => import('./ActDialog.tsx').then((module) => ({ default: module.ActDialog })))

/** Opens the dialog of an act, or the page of the SIM's pool, of all pools (of `pool_id` where that is known), of the balance, or of the rule that blocks it; the asset in it is the one that was meant, as it is now. */
export function useAssetActs(asset: Asset, pool_id: string | null = null): { open: (act: AssetAct) => void; dialog: ReactNode } {
  const [act, setAct] = useState<DialogAct | null>(null)
  const navigate = useNavigate()
  const open = (what: AssetAct) => {
    if (what === 'credits') void navigate('/billing/addcredits')
    else if (what === 'costs') void navigate('/billing')
    else if (what === 'rules') void navigate(rulesPath(asset.sim))
    else if (what === 'pool') void navigate(`/datapools?pool=${asset.sim?.data_pool?.id ?? ''}&of=settings`)
    else if (what === 'pools') void navigate(pool_id ? `/datapools?pool=${pool_id}` : '/datapools')
    else setAct(what)
  }
  const dialog = act && (
    <Suspense>
      <ActDialog asset={asset} act={act} onClose={() => setAct(null)} />
    </Suspense>
  )
  return { open, dialog }
}
