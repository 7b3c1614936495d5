import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getAccessCode, removeAccessCode, updateAccessCode } from '@masthead/contract/terminal/access-code-operations'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'

const AccessCodeForm = later(() => import('./AccessCodeForm.tsx').then((file) => file.AccessCodeForm))

/** Whether the terminal of a device asks for a code. */
export function AccessCodePanel({ asset }: { asset: Asset }) {
  const denied = useDenied()(getAccessCode)
  const params = { asset_id: asset.id }
  const { data, error, refetch } = useQuery({ ...q(getAccessCode, { params }), enabled: denied === null })
  const [doing, setDoing] = useState<'set' | 'remove' | null>(null)
  const close = () => setDoing(null)
  if (denied !== null) return null
  return (
    <Panel title="Terminal access code">
      {data ? (
        <div className="grid gap-3">
          <p className="text-fg-2 text-pretty">
            {data.is_set ? (
              <>
                <b className="font-medium text-fg">Every terminal on this device asks for its code.</b> Set by {data.set_by},{' '}
                <RelativeTime at={data.set_at} />.
              </>
            ) : (
              <>
                <b className="font-medium text-fg">No code is asked for.</b> Anybody who may open terminals can open one on this device.
              </>
            )}
          </p>
          <div className="flex flex-wrap gap-2">
            <ActionButton operation={updateAccessCode} size="small" onClick={() => setDoing('set')}>
              {data.is_set ? 'Set another code' : 'Set a code'}
            </ActionButton>
            {data.is_set && (
              <ActionButton operation={removeAccessCode} size="small" color="danger-quiet" onClick={() => setDoing('remove')}>
                Remove the code
              </ActionButton>
            )}
          </div>
        </div>
      ) : error ? (
        <ErrorState title="The access code could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines lines={2} />
      )}
      {doing === 'set' && <AccessCodeForm asset={asset} onClose={close} />}
      {doing === 'remove' && (
        <ConfirmCall
          onClose={close}
          operation={removeAccessCode}
          input={{ params }}
          title={`Remove the access code of ${asset.name}?`}
          confirm="Remove"
          color="danger"
          done="The terminal asks for no code now"
        >
          Who may open terminals then opens one on this device without a code.
        </ConfirmCall>
      )}
    </Panel>
  )
}
