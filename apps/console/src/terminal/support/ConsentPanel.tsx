import { useQuery } from '@tanstack/react-query'
import { getSupportConsent, updateSupportConsent } from '@masthead/contract/terminal/support-operations'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'

/** Whether support may open terminals without asking each time. */
export function ConsentPanel({ className = '' }: { className?: string }) {
  const denied = useDenied()(getSupportConsent)
  const { data, error, refetch } = useQuery({ ...q(getSupportConsent, {}), enabled: denied === null })
  const [asking, setAsking] = useState(false)
  if (denied !== null) return null
  return (
    <Panel title="Standing consent" className={className}>
      {data ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-[70ch] text-fg-2 text-pretty">
            <b className="font-medium text-fg">{data.standing ? 'Support does not have to ask.' : 'Support asks each time.'}</b>{' '}
            {data.standing
              ? 'Staff may open a terminal on your devices for the time they name. Each is recorded, you are notified of it, and you can end it.'
              : 'Staff can open a terminal on your devices only after somebody on this account has allowed that request.'}
          </p>
          <ActionButton
            operation={updateSupportConsent}
            size="small"
            disabled={data.limited ? 'Your access is limited to some tags, and this is for all devices' : null}
            onClick={() => setAsking(true)}
          >
            {data.standing ? 'Withdraw consent' : 'Give standing consent'}
          </ActionButton>
        </div>
      ) : error ? (
        <ErrorState title="The consent could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines lines={2} />
      )}
      {asking && data && (
        <ConfirmCall
          onClose={() => setAsking(false)}
          operation={updateSupportConsent}
          input={{ body: { standing: !data.standing } }}
          title={data.standing ? 'Withdraw the standing consent?' : 'Give support standing consent?'}
          confirm={data.standing ? 'Withdraw' : 'Give consent'}
          color={data.standing ? 'danger' : 'success'}
          done={data.standing ? 'Support has to ask each time now' : 'Support does not have to ask now'}
        >
          {data.standing
            ? 'All access that support has by it ends now, and terminals that are open by it are closed within 2 seconds.'
            : 'Support then opens terminals on your devices without waiting for an answer. You can withdraw this at any moment.'}
        </ConfirmCall>
      )}
    </Panel>
  )
}
