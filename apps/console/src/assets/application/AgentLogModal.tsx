import type { Asset } from '@masthead/contract/assets/asset'
import { requestAgentLogs } from '@masthead/contract/devices/agent/operations'
import { useEffect } from 'react'
import { useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { AskedLines } from './AskedLines.tsx'

/** What the agent wrote last: what it did, and what it could not. It keeps the lines since it was started. */
export function AgentLogModal({ asset, online, onClose }: { asset: Asset; online: boolean; onClose: () => void }) {
  const asking = useOperation(requestAgentLogs)
  const { mutate } = asking
  useEffect(() => mutate({ params: { asset_id: asset.id }, body: { lines: 200 } }), [mutate, asset.id])
  return (
    <Modal
      open
      onClose={onClose}
      size="large"
      title="Log of the agent"
      footer={
        <>
          <ActionButton
            operation={requestAgentLogs}
            loading={asking.isPending}
            onClick={() => mutate({ params: { asset_id: asset.id }, body: { lines: 200 } })}
          >
            Read again
          </ActionButton>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {!online && <Notice tone="warn">The device is offline. The lines come if it is back within a minute.</Notice>}
      <AskedLines asset={asset} label="Log of the agent" request_id={asking.data?.request_id ?? ''} refused={asking.error} />
    </Modal>
  )
}
