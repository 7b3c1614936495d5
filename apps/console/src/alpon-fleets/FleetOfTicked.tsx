import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { mostAtOnce, type AddedAssets, type Fleet, type RemovedAssets } from '@masthead/contract/alpon-fleets/fleet'
import { addFleetAssets, listFleets, removeFleetAssets } from '@masthead/contract/alpon-fleets/operations'
import { useState } from 'react'
import { q, useOperation } from '../api/query.ts'
import type { Ticked } from '../kit/selection.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { assetsWords, doneWords, RefusedAssets } from './FleetForms.tsx'

const mostShown = 20
const most = mostAtOnce.toLocaleString('en')

/** Puts the assets that are ticked in the list of assets into a fleet or takes them out of it, and shows those with which it could not be done. */
export function FleetOfTicked({ out, ticked, onClose }: { out: boolean; ticked: Ticked; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [fleet_id, choose] = useState<string | null>(null)
  const [done, setDone] = useState<AddedAssets | RemovedAssets | null>(null)
  const { data, error, refetch } = useQuery({
    ...q(listFleets, { query: { page_size: mostShown, ...(search !== '' && { search }) } }),
    placeholderData: keepPreviousData,
  })
  const [adding, removing] = [useOperation(addFleetAssets), useOperation(removeFleetAssets)]
  const calling = out ? removing : adding
  if (done) return <RefusedAssets of={done} onClose={onClose} />
  const fleet = data?.items.find(({ id }) => id === fleet_id)
  // Of all that match only those of the fleet are taken out: the server counts them.
  const isTooMany = out && ticked.all ? ticked.ids.length > mostAtOnce : ticked.count > mostAtOnce || ticked.capped
  const tooMany = isTooMany ? `A fleet ${out ? 'gives' : 'takes'} ${most} assets at a time: narrow the list` : null
  const call = () =>
    calling.mutate(
      {
        params: { fleet_id: fleet!.id },
        body: ticked.all ? { filter: ticked.query, except: [...ticked.ids] } : { assets: [...ticked.ids] },
      },
      {
        onSuccess: (reply) => {
          ticked.clear()
          if (reply.refused.length > 0) return setDone(reply)
          toast.success(doneWords(reply))
          onClose()
        },
      }
    )
  return (
    <Confirm
      open
      onClose={onClose}
      title={out ? `Take ${assetsWords(ticked.count)} out of a fleet` : `Add ${assetsWords(ticked.count)} to a fleet`}
      confirm={out ? 'Take out' : 'Add to fleet'}
      color={out ? 'danger' : 'success'}
      loading={calling.isPending}
      failure={calling.error}
      blocked={tooMany ?? (fleet ? null : 'Choose a fleet first')}
      onConfirm={call}
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
            choices={data.items.map((each) => ({ value: each.id, label: each.name, about: out ? leaving(each) : joining(each) }))}
          />
        </div>
      )}
      {data && data.next !== null && <p className="text-xs text-fg-3">These are the first {mostShown}: search for others.</p>}
      <p>
        {out
          ? 'What runs on them goes on. Assets that are not in the fleet are left as they are.'
          : 'Only devices that run containers can be in a fleet, and each in one: the others are left as they are, and listed.'}
      </p>
    </Confirm>
  )
}

const joining = ({ version }: Fleet) =>
  version === null
    ? 'What runs on them goes on.'
    : `They get version ${version}, which the fleet runs. Containers that it does not name are removed from them.`

const leaving = ({ assets, pilot }: Fleet) =>
  `It has ${assetsWords(assets)}.${pilot ? ` When its pilot ${pilot.asset_name} is among them, it has none after it.` : ''}`
