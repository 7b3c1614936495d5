import { useQuery } from '@tanstack/react-query'
import type { Fleet } from '@masthead/contract/alpon-fleets/fleet'
import { deleteFleet, getFleet, updateFleet } from '@masthead/contract/alpon-fleets/operations'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import type { Failure } from '../api/client.ts'
import { q } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { NotThere } from '../kit/NotThere.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Banner } from '../ui/Banner.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { Tabs, tabPanelProps } from '../ui/Tabs.tsx'
import { FleetAssets } from './FleetAssets.tsx'
import { DeleteFleet, RenameFleetForm } from './FleetForms.tsx'
import { FleetRollout } from './FleetRollout.tsx'
import { useFleetClosed } from './use-fleet-closed.ts'

const way = [{ label: 'Fleets', to: '/alpon-fleets' }]
const tabs = [
  { id: 'details', label: 'Fleet details' },
  { id: 'assets', label: 'Assets' },
] as const

/** One fleet: what it is, and the assets in it. */
export default function FleetScreen() {
  const { fleetID = '' } = useParams()
  const tab = useLocation().pathname.endsWith('/assets') ? 'assets' : 'details'
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({ ...q(getFleet, { params: { fleet_id: fleetID } }), placeholderData: undefined })
  if (error && !data) return <NoFleet id={fleetID} failure={error} onRetry={() => void refetch()} />
  return (
    <>
      {data ? <Head fleet={data} /> : <Banner title="Fleet details" crumbs={<Breadcrumbs way={way} here={fleetID} />} />}
      <Tabs
        label="Fleet"
        tabs={tabs}
        current={tab}
        onChange={(id) => void navigate(`/alpon-fleets/${fleetID}${id === 'assets' ? '/assets' : ''}`, { preventScrollReset: true })}
      />
      <div {...tabPanelProps(tab)} className="pt-5">
        {!data ? (
          <Panel>
            <SkeletonLines lines={6} />
          </Panel>
        ) : tab === 'assets' ? (
          <FleetAssets fleet={data} />
        ) : (
          <Details fleet={data} />
        )}
      </div>
    </>
  )
}

function Head({ fleet }: { fleet: Fleet }) {
  const [doing, setDoing] = useState<'rename' | 'delete' | null>(null)
  const closed = useFleetClosed()
  const navigate = useNavigate()
  return (
    <>
      <Banner
        title={fleet.name}
        crumbs={<Breadcrumbs way={way} here={fleet.name} named />}
        meta={
          <span>
            {fleet.assets === 1 ? '1 asset' : `${fleet.assets.toLocaleString('en')} assets`}, {fleet.online.toLocaleString('en')} online
          </span>
        }
        end={
          <>
            <ActionButton operation={updateFleet} icon={Pencil} disabled={closed(updateFleet, fleet)} onClick={() => setDoing('rename')}>
              Rename
            </ActionButton>
            <ActionButton
              operation={deleteFleet}
              icon={Trash2}
              color="danger-quiet"
              disabled={closed(deleteFleet, fleet)}
              onClick={() => setDoing('delete')}
            >
              Delete
            </ActionButton>
          </>
        }
      />
      {doing === 'rename' && <RenameFleetForm fleet={fleet} onClose={() => setDoing(null)} />}
      {doing === 'delete' && (
        <DeleteFleet fleet={fleet} onClose={() => setDoing(null)} onDone={() => void navigate('/alpon-fleets', { replace: true })} />
      )}
    </>
  )
}

const Details = ({ fleet }: { fleet: Fleet }) => (
  <div className="grid gap-5">
    <Panel title="Pilot">
      {fleet.pilot ? (
        <p>
          <Link className="link" to={`/assets/${fleet.pilot.asset_id}`}>
            {fleet.pilot.asset_name}
          </Link>{' '}
          is the pilot: what is new is tried there first.
        </p>
      ) : (
        <p className="text-fg-2">
          No pilot is chosen. Choose one among the{' '}
          <Link className="link" to={`/alpon-fleets/${fleet.id}/assets`}>
            assets of the fleet
          </Link>
          .
        </p>
      )}
      <p className="mt-3 text-xs text-fg-3">
        Created <RelativeTime at={fleet.created_at} />
        {fleet.updated_by && (
          <>
            , changed <RelativeTime at={fleet.updated_at} /> by {fleet.updated_by}
          </>
        )}
      </p>
    </Panel>
    <FleetRollout fleet={fleet} />
  </div>
)

const NoFleet = ({ id, failure, onRetry }: { id: string; failure: Failure; onRetry: () => void }) => (
  <>
    <Banner title={failure.status === 404 ? 'Fleet not found' : 'Fleet details'} crumbs={<Breadcrumbs way={way} here={id} />} />
    {failure.status === 404 ? (
      <NotThere title="Fleet not found" to="/alpon-fleets" way="All fleets">
        No fleet of this account has the id <span className="mono wrap-anywhere">{id}</span>. It may have been deleted.
      </NotThere>
    ) : (
      <ErrorState title="The fleet could not be loaded" failure={failure} onRetry={onRetry} />
    )}
  </>
)
