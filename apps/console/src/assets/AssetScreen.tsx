import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getAsset, listAssets } from '@masthead/contract/assets/operations'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import { Fragment } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import type { Failure } from '../api/client.ts'
import { q, queries } from '../api/query.ts'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { later } from '../kit/later.tsx'
import { NotThere } from '../kit/NotThere.tsx'
import { Banner } from '../ui/Banner.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tabs, tabPanelProps } from '../ui/Tabs.tsx'
import { AssetHead } from './AssetHead.tsx'
import { AssetOverview, OverviewSkeleton } from './page/AssetOverview.tsx'

const AssetDevice = later(() => import('./device/AssetDevice.tsx').then((file) => file.AssetDevice), <OverviewSkeleton />)
const AssetApplication = later(
  () => import('./application/AssetApplication.tsx').then((file) => file.AssetApplication),
  <OverviewSkeleton />
)
const AssetNetwork = later(() => import('./network/AssetNetwork.tsx').then((file) => file.AssetNetwork), <OverviewSkeleton />)

const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'device', label: 'Device' },
  { id: 'network', label: 'Network' },
  { id: 'application', label: 'Application' },
] as const
type Tab = (typeof tabs)[number]['id']
/** A SIM alone has no device, and a CORE device no containers. Until it is known what the asset is, the tab is there that was asked for. */
const tabsOf = (asset: Asset | undefined, current: Tab) => {
  const kind = asset && deviceKindOf(asset.type)
  const has: Record<Tab, boolean> = { overview: true, network: true, device: Boolean(kind), application: kind === 'agent' }
  return tabs.filter(({ id }) => has[id] || id === current)
}

/** Everything of one asset. Another asset is another page: nothing of the one before is shown meanwhile. */
export default function AssetScreen() {
  const { assetID = '' } = useParams()
  const last = useLocation().pathname.split('/').at(-1)
  const tab = tabs.find(({ id }) => id === last)?.id ?? 'overview'
  return <AssetPage key={assetID} assetID={assetID} tab={tab} />
}

function AssetPage({ assetID, tab }: { assetID: string; tab: Tab }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    ...q(getAsset, { params: { asset_id: assetID } }),
    placeholderData: () => listedAsset(assetID),
  })
  if (error && !data) return <NoAsset assetID={assetID} failure={error} onRetry={() => void refetch()} />
  return (
    // The head of an asset has more lines than anybody knows before it has come: all of it takes the place of what was on its way.
    <Fragment key={data ? 'here' : 'coming'}>
      {data ? <AssetHead asset={data} /> : <HeadSkeleton assetID={assetID} />}
      <Tabs
        label="Asset"
        tabs={tabsOf(data, tab)}
        current={tab}
        onChange={(id) => void navigate(`/assets/${assetID}${id === 'overview' ? '' : `/${id}`}`, { preventScrollReset: true })}
      />
      <div {...tabPanelProps(tab)} className="pt-5">
        {!data ? <OverviewSkeleton /> : <TabContent tab={tab} asset={data} />}
      </div>
    </Fragment>
  )
}

function TabContent({ tab, asset }: { tab: Tab; asset: Asset }) {
  if (tab === 'application') return <AssetApplication asset={asset} />
  if (tab === 'network') return <AssetNetwork asset={asset} />
  return tab === 'device' ? <AssetDevice asset={asset} /> : <AssetOverview asset={asset} />
}

/** The asset as a list had it a moment ago, so that its page is there at once. */
const listedAsset = (id: string): Asset | undefined =>
  queries
    .getQueriesData<{ items: Asset[] }>({ queryKey: ['assets', listAssets.name] })
    .flatMap(([, page]) => page?.items ?? [])
    .find((asset) => asset.id === id)

const way = [{ label: 'Assets', to: '/assets' }]

function HeadSkeleton({ assetID }: { assetID: string }) {
  return <Banner title="Asset" crumbs={<Breadcrumbs way={way} here={assetID} />} meta={<Skeleton className="my-1.5 w-72 max-w-full" />} />
}

function NoAsset({ assetID, failure, onRetry }: { assetID: string; failure: Failure; onRetry: () => void }) {
  const missing = failure.status === 404
  return (
    <>
      <Banner title={missing ? 'Asset not found' : 'Asset'} crumbs={<Breadcrumbs way={way} here={assetID} />} />
      {missing ? (
        <NotThere title="Asset not found" to={`/assets?search=${encodeURIComponent(assetID)}`} way="Search the list">
          No asset of this account has the id, serial number or ICCID <span className="mono wrap-anywhere">{assetID}</span>. It may belong
          to another account, or have tags that you cannot see.
        </NotThere>
      ) : (
        <ErrorState title="The asset could not be loaded" failure={failure} onRetry={onRetry} />
      )}
    </>
  )
}
