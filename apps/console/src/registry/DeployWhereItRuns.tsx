import { useQuery } from '@tanstack/react-query'
import type { DeployedImage } from '@masthead/contract/registry/image'
import { deployTag, listDeployed, mostDevicesAtOnce } from '@masthead/contract/registry/operations'
import { useState } from 'react'
import { Link } from 'react-router'
import { q, useOperation } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { toast } from '../ui/toast.ts'
import { deployedWords, devicesWords, referenceOf } from './registry-words.ts'

const tooMany = `Choose at most ${mostDevicesAtOnce} devices at a time`

type Props = { name: string; tag: string; onDone: () => void }

/** Devices that run the repository already: those that are chosen run this tag of it from then on. */
export function DeployWhereItRuns({ name, tag, onDone }: Props) {
  // Where the pages begin that come after the first, up to the one that is shown. What is chosen on one stays chosen on the next.
  const [places, setPlaces] = useState<readonly string[]>([])
  const after = places.at(-1)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    q(listDeployed, { params: { repository_id: name }, query: { page_size: mostDevicesAtOnce, ...(after !== undefined && { after }) } })
  )
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const deploy = useOperation(deployTag)
  if (error && !data) return <ErrorState title="Devices that run it could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={5} />
  if (data.items.length === 0 && places.length === 0)
    return <EmptyState title="No data found">No container on a device that you see names this repository.</EmptyState>
  const devices = [...Map.groupBy(data.items, ({ asset_id }) => asset_id).values()]
  const open = devices
    .filter((containers) => containers.some((each) => !each.in_fleet && (!isOf(each, tag) || each.older)))
    .map(([one]) => one!.asset_id)
  const all = open.length > 0 && open.every((id) => chosen.has(id))
  const set = (ids: readonly string[], on: boolean) =>
    choose(new Set(on ? [...chosen, ...ids] : [...chosen].filter((id) => !ids.includes(id))))
  const goOn = data.next !== null && !isPlaceholderData ? data.next : null
  return (
    <>
      <p className="text-fg-2">
        Their containers pull {tag} and go on with it. Each device keeps the container before it until the new one is up; ports, volumes and
        variables stay.
      </p>
      <Checkbox
        checked={all}
        mixed={!all && open.some((id) => chosen.has(id))}
        disabled={open.length === 0}
        onChange={({ target }) => set(open, target.checked)}
      >
        All that do not run it yet
      </Checkbox>
      <ul
        aria-label="Devices that run it"
        className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line"
        tabIndex={0}
      >
        {devices.map((containers) => {
          const { asset_id, asset_name, online, in_fleet } = containers[0]!
          return (
            <li key={asset_id} className="flex min-w-0 items-start gap-2 px-3 py-2">
              <Checkbox
                aria-label={asset_name}
                className="mt-1"
                checked={chosen.has(asset_id)}
                disabled={!open.includes(asset_id)}
                onChange={({ target }) => set([asset_id], target.checked)}
              />
              <span className="grid min-w-0 wrap-anywhere">
                <Link className="link" to={`/assets/${asset_id}/application`}>
                  {asset_name}
                </Link>
                <span className="text-xs text-fg-3">
                  {containers
                    .map((each) => `${each.container}: ${referenceOf(each.image)}${each.older ? ' as it was before' : ''}`)
                    .join(', ')}
                  {in_fleet ? '; it is in a fleet: publish a version there' : online ? '' : '; offline, it follows when it is back'}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
      {(data.next !== null || places.length > 0) && (
        <TableFoot
          words={showingWords(places.length * mostDevicesAtOnce + 1, data.items.length, data.total, data.total_capped)}
          onBack={places.length > 0 ? () => setPlaces(places.slice(0, -1)) : null}
          onNext={goOn === null ? null : () => setPlaces([...places, goOn])}
        />
      )}
      <div className="flex justify-end">
        <ActionButton
          operation={deployTag}
          color="primary-solid"
          loading={deploy.isPending}
          disabled={chosen.size === 0 ? 'Choose at least one device' : chosen.size > mostDevicesAtOnce ? tooMany : null}
          onClick={() =>
            deploy.mutate(
              { params: { repository_id: name, tag }, body: { asset_ids: [...chosen] } },
              {
                onSuccess: (done) => {
                  toast[done.changed > 0 ? 'success' : 'info'](deployedWords(done, tag))
                  onDone()
                },
                onError: (failure) => toast.failure(failure),
              }
            )
          }
        >
          {chosen.size === 0 ? 'Update' : `Update ${devicesWords(chosen.size)}`}
        </ActionButton>
      </div>
    </>
  )
}

const isOf = ({ image }: DeployedImage, tag: string) => referenceOf(image) === tag
