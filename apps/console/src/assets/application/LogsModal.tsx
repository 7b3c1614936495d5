import type { Asset } from '@masthead/contract/assets/asset'
import { followLogs, requestLogs } from '@masthead/contract/devices/agent/operations'
import { Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { AskedLines } from './AskedLines.tsx'
import { FollowedLog } from './FollowedLog.tsx'

/** The last lines of the log of a container, and on demand those that come: each costs the device data. */
export function LogsModal({ asset, name, online, onClose }: { asset: Asset; name: string; online: boolean; onClose: () => void }) {
  const [mode, setMode] = useState<'last' | 'live' | 'paused'>('last')
  const asking = useOperation(requestLogs)
  const { mutate } = asking
  const ask = () => {
    setMode('last')
    mutate({ params: { asset_id: asset.id, name }, body: { lines: 200 } })
  }
  useEffect(() => mutate({ params: { asset_id: asset.id, name }, body: { lines: 200 } }), [mutate, asset.id, name])
  return (
    <Modal
      open
      onClose={onClose}
      size="large"
      title={`Log of ${name}`}
      footer={
        <>
          <ActionButton
            operation={followLogs}
            icon={mode === 'live' ? Pause : Play}
            onClick={() => setMode(mode === 'live' ? 'paused' : 'live')}
          >
            {mode === 'live' ? 'Pause' : mode === 'paused' ? 'Go on' : 'Follow'}
          </ActionButton>
          <ActionButton operation={requestLogs} loading={asking.isPending} onClick={ask}>
            Read again
          </ActionButton>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {!online && <Notice tone="warn">The device is offline. The lines come if it is back within a minute.</Notice>}
      {mode === 'last' ? (
        <AskedLines asset={asset} label={`Log of ${name}`} request_id={asking.data?.request_id ?? ''} refused={asking.error} />
      ) : (
        <FollowedLog asset={asset} name={name} paused={mode === 'paused'} />
      )}
    </Modal>
  )
}
