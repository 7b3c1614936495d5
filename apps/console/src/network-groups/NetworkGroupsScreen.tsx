import { useQuery } from '@tanstack/react-query'
import type { NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { createNetworkGroup, deleteNetworkGroup, listNetworkGroups } from '@masthead/contract/network-groups/operations'
import { MoreHorizontal, Pencil, Plus, RadioTower, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Table, TableFrame } from '../ui/Table.tsx'
import { DeleteGroup } from './DeleteGroup.tsx'
import { groupColumns, groupHref } from './group-columns.tsx'

/** The groups of the account: what the SIMs of each may use. */
export default function NetworkGroupsScreen() {
  const { data, error, refetch } = useQuery(q(listNetworkGroups, {}))
  const [deleting, setDeleting] = useState<NetworkGroup | null>(null)
  const denied = useDenied()
  const navigate = useNavigate()
  const items = (group: NetworkGroup) => [
    { label: 'Open', icon: Pencil, onSelect: () => void navigate(groupHref(group)) },
    {
      label: 'Delete',
      icon: Trash2,
      danger: true,
      onSelect: () => setDeleting(group),
      disabled: denied(deleteNetworkGroup) ?? (group.kind === 'own' ? null : 'The default and the built-in groups cannot be deleted'),
    },
  ]
  return (
    <>
      <BannerEnd>
        <LinkButton as={Link} to="/enforcements" color="secondary">
          Limits enforced
        </LinkButton>
        <LinkButton as={Link} to="/network-groups/new" icon={Plus} color="primary-solid" disabled={denied(createNetworkGroup)}>
          New group
        </LinkButton>
      </BannerEnd>
      {error && !data ? (
        <ErrorState title="The network groups could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <TableFrame>
            <Table
              label="Network groups"
              columns={groupColumns}
              rows={data?.items}
              rowId={({ id }) => id}
              skeletonRows={6}
              onOpen={(group) => void navigate(groupHref(group))}
              more={(group) => (
                <Menu
                  label={`Actions on ${group.name}`}
                  align="end"
                  trigger={<IconButton label={`Actions on ${group.name}`} icon={MoreHorizontal} size="small" />}
                  items={items(group)}
                />
              )}
              empty={
                <EmptyState icon={RadioTower} title="No data found">
                  A network group says what its SIMs may use: data, countries, operators and technologies.
                </EmptyState>
              }
            />
          </TableFrame>
          <p className="mt-3 text-xs text-fg-3">A SIM’s own data limit wins over the limit of its group.</p>
        </>
      )}
      {deleting && <DeleteGroup group={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}
