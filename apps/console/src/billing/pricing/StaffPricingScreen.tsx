import { useQuery } from '@tanstack/react-query'
import { addTariffVersion, assignTariff, createTariff, getTariff, listTariffs } from '@masthead/contract/backoffice/tariff-operations'
import type { Tariff } from '@masthead/contract/billing/tariff'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { BackofficeEnd } from '../../backoffice/index.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Badge } from '../../ui/Badge.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { Table, TableFrame, TwoLines, type Column } from '../../ui/Table.tsx'
import { AddVersion, AssignTariff, CreateTariff } from './TariffForms.tsx'
import { TariffVersions } from './TariffVersions.tsx'

const columns = (onOpen: (id: string) => void): Column<Tariff>[] => [
  {
    id: 'name',
    header: 'Price list',
    list: 'title',
    shape: 'two',
    cell: ({ id, name, currency }) => (
      <TwoLines
        first={
          <button type="button" className="max-w-full truncate font-medium hover:underline" onClick={() => onOpen(id)}>
            {name}
          </button>
        }
        second={currency}
      />
    ),
  },
  {
    id: 'standard',
    header: 'Kind',
    width: 130,
    list: 'aside',
    cell: ({ is_standard }) => (is_standard ? <Badge tone="info">General</Badge> : 'Own'),
  },
  {
    id: 'version',
    header: 'Version',
    width: 160,
    list: 'below',
    listHead: true,
    cell: ({ current, next }) => `${current ?? 'none yet'}${next === null ? '' : `; ${next} is planned`}`,
  },
  { id: 'accounts', header: 'Accounts', width: 100, numeric: true, cell: ({ accounts }) => accounts.toLocaleString('en') },
]

/** For staff: what customers pay, by price lists with versions. */
export default function StaffPricingScreen() {
  const [{ list }, change] = useAddressState({ list: '' })
  const [dialog, setDialog] = useState<'create' | 'version' | 'assign' | null>(null)
  const { data, error, refetch } = useQuery(q(listTariffs, {}))
  const id = list || data?.items[0]?.id || ''
  const close = () => setDialog(null)
  const open = (next: string) => change({ list: next }, { push: true })
  return (
    <>
      <BackofficeEnd>
        <ActionButton operation={assignTariff} onClick={() => setDialog('assign')}>
          Give to an account
        </ActionButton>
        <ActionButton operation={createTariff} color="primary-solid" icon={Plus} onClick={() => setDialog('create')}>
          Create price list
        </ActionButton>
      </BackofficeEnd>
      {error && !data ? (
        <ErrorState title="The price lists could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid gap-5">
          <TableFrame>
            <Table
              label="Price lists"
              columns={columns(open)}
              rows={data?.items}
              rowId={(row) => row.id}
              skeletonRows={2}
              onOpen={(row) => open(row.id)}
              empty={
                <EmptyState title="No data found">
                  Create a price list, then give it to an account. Without one nothing is charged.
                </EmptyState>
              }
            />
          </TableFrame>
          {id && <Details key={id} id={id} onVersion={() => setDialog('version')} dialog={dialog === 'version'} onClose={close} />}
        </div>
      )}
      {dialog === 'create' && <CreateTariff onClose={close} onDone={open} />}
      {dialog === 'assign' && data && <AssignTariff tariffs={data.items} tariff_id={id || null} onClose={close} />}
    </>
  )
}

function Details({ id, dialog, onVersion, onClose }: { id: string; dialog: boolean; onVersion: () => void; onClose: () => void }) {
  const { data, error, refetch } = useQuery(q(getTariff, { params: { tariff_id: id } }))
  if (error && !data) return <ErrorState title="The price list could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={6} />
  return (
    <>
      <TariffVersions
        tariff={data}
        add={
          <ActionButton operation={addTariffVersion} icon={Plus} onClick={onVersion}>
            New version
          </ActionButton>
        }
      />
      {dialog && <AddVersion tariff={data} onClose={onClose} />}
    </>
  )
}
