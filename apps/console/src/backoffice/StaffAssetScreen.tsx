import { useQuery } from '@tanstack/react-query'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { simStates, type DataSession } from '@masthead/contract/assets/sim'
import { getStaffAsset, holdSim, releaseSim, type StaffAsset } from '@masthead/contract/backoffice/home-operations'
import { ArrowLeftRight, Hand, HandHelping } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { q } from '../api/query.ts'
import { CorrectUsage, StaffCorrections } from '../corrections/index.ts'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { Bytes } from '../kit/Bytes.tsx'
import { ratWords } from '../kit/radio-technology.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { JsonView } from '../ui/JsonView.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'
import { TypeBadge } from '../ui/TypeBadge.tsx'
import { LogLines } from './LogLines.tsx'
import { TransferStock } from './MoveStock.tsx'
import { NotThere } from '../kit/NotThere.tsx'
import { ReasonModal } from './ReasonModal.tsx'
import { StayMark } from './StayMark.tsx'

/** One asset of whatever account, as staff see it. */
export default function StaffAssetScreen() {
  const { assetID = '' } = useParams()
  const { data, error, refetch } = useQuery(q(getStaffAsset, { params: { any_asset_id: assetID } }))
  const way = [{ label: 'Backoffice', to: '/masa' }]
  const missing = error?.status === 404
  if (!data || missing)
    return (
      <>
        <Banner
          title={missing ? 'Asset not found' : error ? 'Asset' : assetID}
          crumbs={<Breadcrumbs way={way} here={assetID} />}
          end={<StayMark />}
        />
        {missing ? (
          <NotThere title="Asset not found" to={`/masa?search=${encodeURIComponent(assetID)}`} way="Search everything">
            No asset of any account has the id, serial number or ICCID <span className="mono wrap-anywhere">{assetID}</span>.
          </NotThere>
        ) : error ? (
          <ErrorState title="The asset could not be loaded" failure={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonLines lines={8} />
        )}
      </>
    )
  const { asset, account, stock } = data
  const { sim } = asset
  const accountAt = `/masa/accounts/${encodeURIComponent(account.email)}`
  return (
    <>
      <Banner
        title={asset.name}
        crumbs={<Breadcrumbs way={[...way, { label: account.team_name, to: accountAt }]} here={sim?.iccid ?? asset.serial} />}
        meta={
          <>
            <TypeBadge type={asset.type} label={assetTypes[asset.type]} />
            {sim && <StatusDot status={sim.status} {...(sim.status === 'blocked' && { label: `Blocked, set to ${sim.state}` })} />}
            <StatusDot status={asset.online ? 'online' : asset.last_seen_at ? 'offline' : 'never_seen'} />
            <Link className="link" to={`/masa/assets/${encodeURIComponent(asset.id)}/alpon`}>
              Its device
            </Link>
          </>
        }
        end={<Actions data={data} />}
      />
      <div className="grid items-start gap-4 @md:grid-cols-2">
        <Panel title="Owner and stock">
          <Facts>
            <Fact label="Account">
              <Link className="link" to={accountAt}>
                {account.team_name}
              </Link>{' '}
              <span className="text-fg-3">{account.email}</span>
            </Fact>
            <Fact label="Serial">
              <CopyText text={asset.serial} label="serial number" />
            </Fact>
            <Fact label="Loaded">
              <RelativeTime at={stock?.loaded_at} />
            </Fact>
            <Fact label="Registered">
              <RelativeTime at={stock?.registered_at ?? asset.created_at} />
            </Fact>
            <Fact label="Last seen">
              <RelativeTime at={asset.last_seen_at} />
            </Fact>
          </Facts>
        </Panel>
        <Panel title="SIM">
          {sim ? (
            <Facts>
              <Fact label="ICCID">
                <CopyText text={sim.iccid} label="ICCID" />
              </Fact>
              <Fact label="IMSI">
                <span className="flex flex-wrap gap-x-4">
                  {sim.imsis.map((imsi) => (
                    <CopyText key={imsi} text={imsi} label="IMSI" />
                  ))}
                </span>
              </Fact>
              <Fact label="MSISDN">
                <CopyText text={sim.msisdn} label="MSISDN" />
              </Fact>
              <Fact label="IMEI">
                <CopyText text={sim.imei} label="IMEI" />
              </Fact>
              <Fact label="Set to">
                {simStates[sim.state]}
                {sim.state_changed_by && <span className="text-fg-3"> by {sim.state_changed_by}</span>}
              </Fact>
              <Fact label="Blocks">
                {sim.blocks.length === 0
                  ? 'None'
                  : sim.blocks.map((block) => (
                      <span key={block.code} className="block">
                        {block.words}
                        <span className="block text-xs text-fg-3">{`By ${block.by} · ${block.clears}`}</span>
                      </span>
                    ))}
              </Fact>
              <Fact label="This month">
                <Bytes of={sim.usage.period_bytes} />{' '}
                <span className="text-fg-3">
                  {sim.usage.limit_bytes === null ? (
                    'no limit'
                  ) : sim.usage.limit_period === 'day' ? (
                    <>
                      · today <Bytes of={sim.usage.limit_used_bytes ?? 0} /> of {formatBytes(sim.usage.limit_bytes)}
                    </>
                  ) : (
                    `of ${formatBytes(sim.usage.limit_bytes)}`
                  )}
                </span>
              </Fact>
            </Facts>
          ) : (
            <p className="text-fg-2">This asset has no SIM.</p>
          )}
        </Panel>
        <Panel title="Sessions" note="the last 20" flush className="overflow-clip @md:col-span-2">
          <PlainTable
            label="Sessions"
            columns={columns}
            rows={data.sessions}
            rowId={(row) => row.id}
            empty={<EmptyState title="No data found">No session has been reported.</EmptyState>}
          />
        </Panel>
        <StaffCorrections asset={asset} account={account} className="overflow-clip @md:col-span-2" />
        <Panel title="Staff actions" flush>
          <LogLines entries={data.log} />
        </Panel>
        <Panel title="Raw data">
          <JsonView label="Asset" value={data as never} open={1} />
        </Panel>
      </div>
    </>
  )
}

const columns: Column<DataSession>[] = [
  { id: 'started', header: 'Started', width: 130, list: 'title', cell: ({ started_at }) => <RelativeTime at={started_at} /> },
  {
    id: 'state',
    header: 'State',
    width: 170,
    list: 'aside',
    cell: ({ ended_at, end_cause, silent }) =>
      ended_at ? (
        <TwoLines first="Ended" second={end_cause} />
      ) : (
        <StatusDot status={silent ? 'silent' : 'live'} label={silent ? 'Silent' : 'Open'} />
      ),
  },
  {
    id: 'id',
    header: 'Session id',
    width: 170,
    drop: 1,
    cell: ({ acct_session_id }) => <CopyText text={acct_session_id} label="session id" max={18} />,
  },
  { id: 'gateway', header: 'Gateway', width: 140, list: 'below', cell: ({ gateway }) => gateway },
  {
    id: 'network',
    header: 'Network',
    cell: ({ network, rat }) => <TwoLines first={network?.name ?? network?.mccmnc ?? '—'} second={ratWords(rat)} />,
  },
  { id: 'ip', header: 'IP', width: 130, drop: 2, cell: ({ ip }) => <CopyText text={ip} label="IP address" /> },
  {
    id: 'bytes',
    header: 'Used',
    width: 110,
    numeric: true,
    list: 'below',
    cell: ({ bytes_up, bytes_down }) => <Bytes of={bytes_up + bytes_down} />,
  },
]

function Actions({ data }: { data: StaffAsset }) {
  const { asset, account } = data
  const [asking, setAsking] = useState<'hold' | 'release' | 'transfer' | null>(null)
  const held = asset.sim?.blocks.some((block) => block.code === 'staff') ?? false
  const common = { onClose: () => setAsking(null), params: { any_asset_id: asset.id } }
  const noSim = asset.sim ? null : 'This asset has no SIM'
  const { refused } = account
  return (
    <>
      <StayMark />
      <CorrectUsage data={data} refused={refused} />
      <Button icon={ArrowLeftRight} disabled={refused} onClick={() => setAsking('transfer')}>
        Transfer
      </Button>
      {held ? (
        <Button icon={HandHelping} color="success" disabled={refused} onClick={() => setAsking('release')}>
          Lift the hold
        </Button>
      ) : (
        <Button icon={Hand} color="danger-quiet" disabled={noSim ?? refused} onClick={() => setAsking('hold')}>
          Hold the SIM
        </Button>
      )}
      <ReasonModal
        {...common}
        open={asking === 'hold'}
        title="Hold this SIM?"
        operation={holdSim}
        submit="Hold the SIM"
        color="danger"
        hint="The customer sees it on the SIM."
      >
        <p>
          The SIM of {asset.name} ({account.team_name}) loses its service and its open session is cut, whatever state the customer set.
        </p>
      </ReasonModal>
      <ReasonModal
        {...common}
        open={asking === 'release'}
        title="Lift the hold?"
        operation={releaseSim}
        submit="Lift the hold"
        color="success"
      >
        <p>The SIM of {asset.name} has service again, unless something else blocks it.</p>
      </ReasonModal>
      {asking === 'transfer' && <TransferStock serial={asset.serial} from={account.email} onClose={() => setAsking(null)} />}
    </>
  )
}
