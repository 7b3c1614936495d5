import { useQuery } from '@tanstack/react-query'
import { getTunnelRules, updateTunnelRules } from '@masthead/contract/terminal/tunnel-operations'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'

/** What tunnels may do, and whether it may lead beside the device. */
export function RulesPanel() {
  const { data, error, refetch } = useQuery(q(getTunnelRules, {}))
  const [asking, setAsking] = useState(false)
  return (
    <Panel
      title="What tunnels may do"
      end={
        data && (
          <ActionButton
            operation={updateTunnelRules}
            size="small"
            disabled={data.limited ? 'Your access is limited to some tags, and this is for all devices' : null}
            onClick={() => setAsking(true)}
          >
            {data.beside ? 'Only devices themselves' : 'Allow addresses beside devices'}
          </ActionButton>
        )
      }
    >
      {data ? (
        <Facts>
          <Fact label="Reaches">
            {data.beside ? 'a port of the device, or of an address in its private network' : 'a port of the device itself'}
          </Fact>
          <Fact label="Lasts">15 minutes to 24 hours, then it closes</Fact>
          <Fact label="Sources">one or more address ranges; all else is refused and listed</Fact>
          <Fact label="Also ends">when whoever opened it signs out, or may open no tunnels any more</Fact>
        </Facts>
      ) : error ? (
        <ErrorState title="The rules could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines lines={4} />
      )}
      {asking && data && (
        <ConfirmCall
          onClose={() => setAsking(false)}
          operation={updateTunnelRules}
          input={{ body: { beside: !data.beside } }}
          title={data.beside ? 'Only to devices themselves?' : 'Allow addresses beside devices?'}
          confirm={data.beside ? 'Only devices' : 'Allow'}
          color={data.beside ? 'danger' : 'success'}
          done={data.beside ? 'Tunnels lead only to devices themselves' : 'Tunnels may lead beside devices'}
        >
          {data.beside
            ? 'Tunnels that lead beside a device are closed now.'
            : 'Whoever may open tunnels then reaches other machines in the private network of a device, like a PLC or a camera.'}
        </ConfirmCall>
      )}
    </Panel>
  )
}
