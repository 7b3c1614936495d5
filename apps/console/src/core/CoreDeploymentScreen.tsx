import { useQuery } from '@tanstack/react-query'
import type { Deployment } from '@masthead/contract/core/deployment'
import { exportEnrolments, getDeployment, listEnrolments } from '@masthead/contract/core/operations'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { ChevronDown, Download, Inbox } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { q } from '../api/query.ts'
import { urlOf } from '../api/client.ts'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { DownloadLink } from '../kit/DownloadLink.tsx'
import type { Filter } from '../kit/filters.ts'
import { NotThere } from '../kit/NotThere.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Banner } from '../ui/Banner.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { Devices, enrolmentColumns } from './deployment-columns.tsx'
import { boardNames, deploymentLook, groupWords, installLine, maskedToken, regionNames, stateWords, tagWords } from './deployment-words.ts'
import { useDeploymentActions } from './use-deployment-actions.tsx'
import { WhatToBring } from './WhatToBring.tsx'

const way = [{ label: 'CORE deployments', to: '/core-deployments' }]
const filters: Filter[] = [
  {
    key: 'result',
    label: 'Result',
    options: [
      { value: 'enrolled', label: 'Enrolled' },
      { value: 'refused', label: 'Refused' },
    ],
  },
]

/** One deployment: what its devices get, which enrolled, and why others were refused. */
export default function CoreDeploymentScreen() {
  const { deploymentID = '' } = useParams()
  const { data, error, refetch } = useQuery({
    ...q(getDeployment, { params: { deployment_id: deploymentID } }),
    placeholderData: undefined,
  })
  if (data) return <Opened deployment={data} />
  return (
    <>
      <Banner
        title={error?.status === 404 ? 'CORE deployment not found' : 'CORE deployment'}
        crumbs={<Breadcrumbs way={way} here={deploymentID} />}
      />
      {!error ? (
        <Panel>
          <SkeletonLines lines={10} />
        </Panel>
      ) : error.status === 404 ? (
        <NotThere title="CORE deployment not found" to="/core-deployments" way="All CORE deployments">
          No CORE deployment that you see has the id <span className="mono wrap-anywhere">{deploymentID}</span>. It may have been deleted:
          devices that enrolled by it keep working.
        </NotThere>
      ) : (
        <ErrorState title="The CORE deployment could not be loaded" failure={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

function Opened({ deployment }: { deployment: Deployment }) {
  const navigate = useNavigate()
  const { items, dialog } = useDeploymentActions({ onDeleted: () => void navigate('/core-deployments', { replace: true }) })
  return (
    <>
      <Banner
        title={deployment.name}
        crumbs={<Breadcrumbs way={way} here={deployment.name} named />}
        meta={
          <>
            <StatusDot {...deploymentLook(deployment)} />
            <span>{stateWords(deployment)}</span>
            <span className="text-fg-3">
              created <RelativeTime at={deployment.created_at} /> by {deployment.created_by}
            </span>
          </>
        }
        end={
          <Menu
            label={`Actions for ${deployment.name}`}
            align="end"
            items={items(deployment)}
            trigger={
              <Button>
                Actions <ChevronDown aria-hidden size={16} />
              </Button>
            }
          />
        }
      />
      {deployment.previous && (
        <div className="mb-4">
          <Notice tone="info">
            The previous token, <span className="mono">mhd_…{deployment.previous.token_end}</span>, works until{' '}
            {formatExactHere(deployment.previous.expires_at)}.
          </Notice>
        </div>
      )}
      <div className="grid min-w-0 items-start gap-5 pb-6 @lg:grid-cols-[minmax(0,1fr)_340px]">
        <section aria-labelledby="enrolments" className="min-w-0">
          <h2 id="enrolments" className="mb-2 font-semibold">
            Enrolments and refusals
          </h2>
          <QueryTable
            operation={listEnrolments}
            input={{ params: { deployment_id: deployment.id } }}
            label="Enrolments and refusals"
            columns={enrolmentColumns}
            rowId={({ iccid }) => iccid}
            rowName={({ iccid }) => iccid}
            filters={filters}
            search="ICCID"
            live
            actions={
              <DownloadLink
                className={buttonClass('ghost')}
                href={urlOf(exportEnrolments, { params: { deployment_id: deployment.id } } as never)}
                name="enrolments.csv"
              >
                <Icon of={Download} className="-ml-0.5" />
                Export
              </DownloadLink>
            }
            empty={
              <EmptyState icon={Inbox} title="No data found">
                Start a device with the token of this deployment. It is listed here once it has asked, also when it is refused.
              </EmptyState>
            }
          />
        </section>
        <div className="grid min-w-0 gap-5">
          <Settings deployment={deployment} />
          <Panel title="Install line">
            <div className="grid min-w-0 gap-2">
              <pre
                tabIndex={0}
                aria-label="Install line"
                className="mono overflow-x-auto rounded-lg border border-line bg-sunken p-3 text-xs leading-5"
              >
                {installLine(maskedToken(deployment), deployment.region)}
              </pre>
              <p className="text-fg-3">
                The token was shown once, when it was made. Where it is lost, rotate it. Anyone with it can add devices to your account.
              </p>
            </div>
          </Panel>
          <WhatToBring />
        </div>
      </div>
      {dialog}
    </>
  )
}

const Settings = ({ deployment }: { deployment: Deployment }) => (
  <Panel title="What its devices get">
    <Facts>
      <Fact label="Devices">
        <Devices of={deployment} />
      </Fact>
      <Fact label="Expires">{deployment.expires_at ? formatExactHere(deployment.expires_at) : 'Never'}</Fact>
      <Fact label="Tags">{tagWords(deployment)}</Fact>
      <Fact label="Network group">{groupWords(deployment)}</Fact>
      <Fact label="SIMs">{deployment.registers ? 'Of the account, and from stock' : 'Of the account'}</Fact>
      <Fact label="Board">{boardNames[deployment.board]}</Fact>
      <Fact label="Region">{regionNames[deployment.region]}</Fact>
      {deployment.rotated_at && <Fact label="Token rotated">{formatExactHere(deployment.rotated_at)}</Fact>}
    </Facts>
  </Panel>
)
