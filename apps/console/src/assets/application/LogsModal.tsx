import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { followLogs, getLogs, requestLogs } from '@masthead/contract/devices/agent/operations'
import { Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { q, useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { FollowedLog } from './FollowedLog.tsx'
import { StreamLog } from '../../ui/StreamLog.tsx'

const hereWords = (lines: number) => `${lines === 1 ? 'The last line' : `The last ${lines} lines`}; times are UTC`

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
  const request_id = asking.data?.request_id ?? ''
  const { data, error } = useQuery({ ...q(getLogs, { params: { asset_id: asset.id, request_id } }), enabled: request_id !== '' })
  const lines = (data?.lines ?? []).map(({ at, stream, text }, place) => ({
    id: String(place),
    time: at ? at.slice(11, 23) : '',
    level: stream === 'stderr' ? ('warn' as const) : ('info' as const),
    text,
  }))
  const failure = asking.error ?? error
  const failed = failure !== null || data?.state === 'failed'
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
      {failure && <FailureNotice of={failure} />}
      {data?.state === 'failed' && <Notice tone="bad">{data.words}</Notice>}
      {!online && <Notice tone="warn">The device is offline. The lines come if it is back within a minute.</Notice>}
      {mode === 'last' ? (
        <StreamLog
          label={`Log of ${name}`}
          lines={lines}
          state={failed ? 'Not read' : data?.state === 'here' ? hereWords(lines.length) : 'Waiting for the device'}
          empty={failed ? 'Read it again.' : data?.state === 'here' ? 'It wrote nothing yet.' : 'The lines come from the device.'}
        />
      ) : (
        <FollowedLog asset={asset} name={name} paused={mode === 'paused'} />
      )}
    </Modal>
  )
}
