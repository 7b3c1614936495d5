import { useQuery } from '@tanstack/react-query'
import { listFleets } from '@masthead/contract/alpon-fleets/operations'
import type { AssetType } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { listAssets } from '@masthead/contract/assets/operations'
import { runsContainers } from '@masthead/contract/devices/agent/application'
import { useState } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { useMay } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Modal } from '../ui/Modal.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { DeployWhereItRuns } from './DeployWhereItRuns.tsx'
import { imageOf } from './registry-words.ts'

const types = (Object.keys(assetTypes) as AssetType[]).filter(runsContainers)
const mostShown = 20

type Target = { id: string; name: string; note: string; /** The device that gets it; null: none does yet. */ asset_id: string | null }
type Shown = { targets: Target[] | undefined; more: boolean; error: unknown; refetch: () => unknown }

/** Where a tag is deployed: on a device, on those that run the repository already, or on the pilot of a fleet, whose containers become the fleet's next version. The form of the device does it. */
export function DeployDialog({ name, tag, onClose }: { name: string; tag: string; onClose: () => void }) {
  const [what, choose] = useState<'device' | 'running' | 'fleet'>('device')
  const [search, setSearch] = useState('')
  const mayFleets = useMay(listFleets)
  const List = what === 'device' ? Devices : Fleets
  return (
    <Modal open onClose={onClose} title={`Deploy ${tag}`} footer={<Button onClick={onClose}>Cancel</Button>}>
      <div className="grid gap-3">
        <Segmented
          label="Where"
          value={what}
          onChange={choose}
          options={[
            { value: 'device', label: 'On a device' },
            { value: 'running', label: 'Where it runs' },
            ...(mayFleets ? [{ value: 'fleet' as const, label: 'On a fleet' }] : []),
          ]}
        />
        {what === 'fleet' && (
          <p className="text-fg-2">
            A version of a fleet is what its pilot runs. Deploy {tag} on the pilot; once it runs there, publish a version and roll it out.
          </p>
        )}
        {what === 'device' && <p className="text-fg-2">Choose the device: ports, volumes and variables of the container come next.</p>}
        {what === 'running' ? (
          <DeployWhereItRuns name={name} tag={tag} onDone={onClose} />
        ) : (
          <>
            <SearchField
              key={what}
              label={what === 'device' ? 'Find a device' : 'Find a fleet'}
              placeholder={what === 'device' ? 'Find a device' : 'Find a fleet'}
              value={search}
              onChange={setSearch}
              autoFocus
            />
            <List search={search} image={imageOf(name, tag)} />
          </>
        )}
      </div>
    </Modal>
  )
}

type Find = { search: string; image: string }
const asked = (search: string) => ({ page_size: mostShown, ...(search !== '' && { search }) })

function Devices({ search, image }: Find) {
  const { data, error, refetch } = useQuery(q(listAssets, { query: { ...asked(search), type: types } }))
  const targets = data?.items.map(({ id, name, serial, type }) => ({ id, name, note: `${assetTypes[type]} ${serial}`, asset_id: id }))
  const none = search === '' ? 'No asset that you see is a device that runs containers.' : 'No such device runs containers.'
  return <Targets label="Devices" image={image} none={none} shown={{ targets, more: data?.next !== null, error, refetch }} />
}

function Fleets({ search, image }: Find) {
  const { data, error, refetch } = useQuery(q(listFleets, { query: asked(search) }))
  const targets = data?.items.map(({ id, name, pilot }) => ({
    id,
    name,
    note: pilot ? `Pilot: ${pilot.asset_name}` : 'It has no pilot yet: choose one first',
    asset_id: pilot?.asset_id ?? null,
  }))
  const none = search === '' ? 'This account has no fleet.' : 'No fleet has this in its name.'
  return <Targets label="Fleets" image={image} none={none} shown={{ targets, more: data?.next !== null, error, refetch }} />
}

type Shows = { label: string; image: string; /** Why nothing is listed. */ none: string; shown: Shown }

function Targets({ label, image, none, shown: { targets, more, error, refetch } }: Shows) {
  if (error && !targets)
    return <ErrorState title={`${label} could not be loaded`} failure={error as never} onRetry={() => void refetch()} />
  if (!targets) return <SkeletonLines lines={5} />
  if (targets.length === 0) return <EmptyState title="No data found">{none}</EmptyState>
  return (
    <>
      <ul aria-label={label} className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line" tabIndex={0}>
        {targets.map(({ id, name, note, asset_id }) => (
          <li key={id} className="grid min-w-0 px-3 py-2 wrap-anywhere">
            <Link
              className="link"
              to={
                asset_id === null
                  ? `/alpon-fleets/${id}`
                  : `/assets/${asset_id}/application?${String(new URLSearchParams({ deploy: image }))}`
              }
            >
              {name}
            </Link>
            <span className="text-xs text-fg-3">{note}</span>
          </li>
        ))}
      </ul>
      {more && <p className="text-xs text-fg-3">These are the first {mostShown}: search for others.</p>}
    </>
  )
}
