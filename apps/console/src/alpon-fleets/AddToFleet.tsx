import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { mostAtOnce, type AddedAssets } from '@masthead/contract/alpon-fleets/fleet'
import { addFleetAssets, listFleets } from '@masthead/contract/alpon-fleets/operations'
import { useState } from 'react'
import { q, useOperation } from '../api/query.ts'
import type { Ticked } from '../kit/selection.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { addedWords, assetsWords, RefusedAssets } from './FleetForms.tsx'

const mostShown = 20
const most = mostAtOnce.toLocaleString('en')

/** Puts the assets that are ticked in the list of assets into a fleet, and shows those that cannot be in it. */
export function AddToFleet({ ticked, onClose }: { ticked: Ticked; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [fleet_id, choose] = useState<string | null>(null)
  const [added, setAdded] = useState<AddedAssets | null>(null)
  const { data, error, refetch } = useQuery({
    ...q(listFleets, { query: { page_size: mostShown, ...(search !== '' && { search }) } }),
    placeholderData: keepPreviousData,
  })
  const adding = useOperation(addFleetAssets)
  if (added) return <RefusedAssets of={added} onClose={onClose} />
  const fleet = data?.items.find(({ id }) => id === fleet_id)
  const tooMany = ticked.count > mostAtOnce || ticked.capped ? `A fleet takes ${most} assets at a time: narrow the list` : null
  const add = () =>
    adding.mutate(
      {
        params: { fleet_id: fleet!.id },
        body: ticked.all ? { filter: ticked.query, except: [...ticked.ids] } : { assets: [...ticked.ids] },
      },
      {
        onSuccess: (reply) => {
          ticked.clear()
          if (reply.refused.length > 0) return setAdded(reply)
          toast.success(addedWords(reply))
          onClose()
        },
      }
    )
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Add ${assetsWords(ticked.count)} to a fleet`}
      confirm="Add to fleet"
      loading={adding.isPending}
      failure={adding.error}
      blocked={tooMany ?? (fleet ? null : 'Choose a fleet first')}
      onConfirm={add}
    >
      <SearchField label="Find a fleet" placeholder="Find a fleet" value={search} onChange={setSearch} />
      {error && !data ? (
        <ErrorState title="The fleets could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonLines lines={5} />
      ) : data.items.length === 0 ? (
        <EmptyState title="No data found">{search === '' ? 'There are no fleets yet: create one in Manage Fleets.' : null}</EmptyState>
      ) : (
        <div className="max-h-80 overflow-y-auto p-0.5">
          <RadioGroup
            label="Fleet"
            value={fleet_id}
            onChange={choose}
            choices={data.items.map(({ id, name, version }) => ({
              value: id,
              label: name,
              about:
                version === null
                  ? 'What runs on them goes on.'
                  : `They get version ${version}, which the fleet runs. Containers that it does not name are removed from them.`,
            }))}
          />
        </div>
      )}
      {data && data.next !== null && <p className="text-xs text-fg-3">These are the first {mostShown}: search for others.</p>}
      <p>Only devices that run containers can be in a fleet, and each in one: the others are left as they are, and listed.</p>
    </Confirm>
  )
}
