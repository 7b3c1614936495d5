import type { Asset } from '@masthead/contract/assets/asset'
import { makeClaimCode } from '@masthead/contract/devices/agent/operations'
import { formatMoment } from '@masthead/contract/kernel/time'
import { basePath } from '../../api/settings.ts'
import { useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'

/** A claim code, and the line that uses it on the device. `again`: a device is set up already, and is put out by the next. */
export function ClaimCode({ asset, again = false }: { asset: Asset; again?: boolean }) {
  const making = useOperation(makeClaimCode)
  const server = window.location.origin + basePath
  const line = `curl -fsSL ${server}/agent/install.sh | sudo sh -s -- ${server} ${making.data?.code}`
  return (
    <div className="grid justify-items-start gap-3">
      {making.data ? (
        <>
          <p className="text-fg-2 text-pretty">
            Run this on the device: it installs the agent and sets it up. Where this server has no Node.js for its processor, the device
            needs Node.js 22 or later. The code works once, until {formatMoment(making.data.expires_at)}.
          </p>
          <div className="flex w-full items-center gap-2 rounded-md border border-line bg-sunken px-3 py-2">
            <code className="mono min-w-0 flex-1 wrap-anywhere" data-testid="claim">
              {line}
            </code>
            <CopyButton text={line} label="Copy the line" />
          </div>
        </>
      ) : (
        <ActionButton
          operation={makeClaimCode}
          color={again ? 'secondary' : 'primary-solid'}
          loading={making.isPending}
          onClick={() => making.mutate({ params: { asset_id: asset.id } })}
        >
          {again ? 'Set up another device' : 'Make a claim code'}
        </ActionButton>
      )}
      {making.error && <FailureNotice of={making.error} />}
    </div>
  )
}
