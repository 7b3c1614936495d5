import { useQuery } from '@tanstack/react-query'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { getStaffDevice } from '@masthead/contract/backoffice/device-operations'
import { askSupport } from '@masthead/contract/backoffice/support-operations'
import type { Device } from '@masthead/contract/devices/device'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { CardSim, Router, Terminal } from 'lucide-react'
import { Link, useNavigate, useParams } from 'react-router'
import { q } from '../api/query.ts'
import { PresenceFacts, presences } from '../assets/device/index.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { NotThere } from '../kit/NotThere.tsx'
import { Banner } from '../ui/Banner.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { JsonView } from '../ui/JsonView.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TypeBadge } from '../ui/TypeBadge.tsx'
import { StayMark } from './StayMark.tsx'
import { askRefusal } from './support/ask-refusal.ts'

/** The device of an asset of whatever account: all that it reported, as it came. */
export default function StaffDeviceScreen() {
  const { assetID = '' } = useParams()
  const { data, error, refetch } = useQuery(q(getStaffDevice, { params: { any_asset_id: assetID } }))
  const way = [{ label: 'Backoffice', to: '/masa' }]
  if (!data)
    return (
      <>
        <Banner
          title={error?.status === 404 ? 'Asset not found' : 'Device'}
          crumbs={<Breadcrumbs way={way} here={assetID} />}
          end={<StayMark />}
        />
        {!error ? (
          <SkeletonLines lines={8} />
        ) : error.status === 404 ? (
          <NotThere title="Asset not found" to={`/masa?search=${encodeURIComponent(assetID)}`} way="Search everything">
            No asset of any account has the id, serial number or ICCID <span className="mono wrap-anywhere">{assetID}</span>.
          </NotThere>
        ) : (
          <ErrorState title="The device could not be loaded" failure={error} onRetry={() => void refetch()} />
        )}
      </>
    )
  const { asset, account, device } = data
  const assetAt = `/masa/assets/${encodeURIComponent(asset.id)}`
  return (
    <>
      <Banner
        title={`Device of ${asset.name}`}
        crumbs={
          <Breadcrumbs
            way={[
              ...way,
              { label: account.team_name, to: `/masa/accounts/${encodeURIComponent(account.email)}` },
              { label: asset.name, to: assetAt },
            ]}
            here="Device"
            named
          />
        }
        meta={
          <>
            <TypeBadge type={asset.type} label={assetTypes[asset.type]} />
            {device && <StatusDot {...presences[device.presence]} />}
            <Link className="link" to={assetAt}>
              Its SIM and sessions
            </Link>
          </>
        }
        end={
          <>
            <StayMark />
            {deviceKindOf(asset.type) !== null && <AskButton asset_id={asset.id} device={device} />}
          </>
        }
      />
      {device ? (
        <Reports of={device} />
      ) : deviceKindOf(asset.type) === null ? (
        <Panel flush>
          <EmptyState icon={CardSim} title="This asset is a SIM without a device">
            Devices report themselves from CORE devices, ALPON and Axis gateways.
          </EmptyState>
        </Panel>
      ) : (
        <Panel flush>
          <EmptyState icon={Router} title="Never connected yet">
            The device has no credentials: the customer makes them on the asset, or enrols it by a CORE deployment.
          </EmptyState>
        </Panel>
      )}
    </>
  )
}

function AskButton({ asset_id, device }: { asset_id: string; device: Device | null }) {
  const navigate = useNavigate()
  return (
    <ActionButton
      icon={Terminal}
      operation={askSupport}
      disabled={askRefusal(device)}
      onClick={() => void navigate(`/alpon-remote-support?ask=${asset_id}`)}
    >
      Ask for its terminal
    </ActionButton>
  )
}

const Reports = ({ of: device }: { of: Device }) => (
  <div className="grid items-start gap-4 @md:grid-cols-2">
    <Panel title="Connection">
      <Facts>
        <Fact label="State">
          <StatusDot {...presences[device.presence]} />
        </Fact>
        <PresenceFacts device={device} />
        <Fact label="Agent">{device.kind === 'core' ? 'CORE' : 'Masthead edge agent'}</Fact>
        <Fact label="Device id">
          <CopyText text={device.id} label="device id" max={18} />
        </Fact>
        <Fact label="Credentials of">{formatExactHere(device.created_at)}</Fact>
        {device.cut_at && <Fact label="Refused since">{formatExactHere(device.cut_at)}</Fact>}
      </Facts>
    </Panel>
    <Panel title="What it reported">
      <JsonView label="What it reported" value={device.reported as never} open={2} />
    </Panel>
    <Panel title="Configuration that is wanted">
      <JsonView label="Configuration that is wanted" value={device.desired as never} open={1} />
    </Panel>
    <Panel title="Latest changes of its configuration">
      <JsonView
        label="Changes of its configuration"
        value={{ configs: device.configs, maintenance: device.maintenance } as never}
        open={1}
      />
    </Panel>
  </div>
)
