import { createDeployment, listDeployments } from '@masthead/contract/core/operations'
import { Cpu, Plus } from 'lucide-react'
import { ActionButton } from '../kit/ActionButton.tsx'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { deploymentColumns, deploymentHref } from './deployment-columns.tsx'
import { stateLooks } from './deployment-words.ts'
import { useDeploymentActions } from './use-deployment-actions.tsx'

const filters: Filter[] = [
  { key: 'state', label: 'State', options: Object.entries(stateLooks).map(([value, { label }]) => ({ value, label })) },
]

/** One token for many devices: each that starts with it becomes an asset. */
export default function CoreDeploymentsScreen() {
  const { items, create, dialog } = useDeploymentActions()
  const first = { icon: Plus, operation: createDeployment, onClick: create } as const
  return (
    <>
      <BannerEnd>
        <ActionButton {...first} color="primary-solid">
          New deployment
        </ActionButton>
      </BannerEnd>
      <QueryTable
        operation={listDeployments}
        label="CORE deployments"
        columns={deploymentColumns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={deploymentHref}
        rowActions={items}
        filters={filters}
        search="Name or token"
        live
        empty={
          <EmptyState icon={Cpu} title="No data found" actions={<ActionButton {...first}>Create your first deployment</ActionButton>}>
            A deployment is one token for many CORE devices. Each device that starts with it becomes an asset, with the tags and the network
            group that you choose.
          </EmptyState>
        }
      />
      {dialog}
    </>
  )
}
