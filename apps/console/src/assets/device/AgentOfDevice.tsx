import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getApplication } from '@masthead/contract/devices/agent/operations'
import { q } from '../../api/query.ts'
import { AgentPanel } from '../application/AgentPanel.tsx'

/** The agent of the device, once it is known. */
export function AgentOfDevice({ asset }: { asset: Asset }) {
  const { data } = useQuery(q(getApplication, { params: { asset_id: asset.id } }))
  return data?.device ? <AgentPanel asset={asset} device={data.device} /> : null
}
