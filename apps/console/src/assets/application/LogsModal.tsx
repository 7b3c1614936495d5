import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getLogs, requestLogs } from '@masthead/contract/devices/agent/operations'
import { useEffect } from 'react'
import { q, useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { StreamLog } from '../../ui/StreamLog.tsx'

/** The last lines of the log of a container: asked for when it is opened, since each costs the device data. */
export function LogsModal({ asset, name, online, onClose }: { asset: Asset; name: string; online: boolean; onClose: () => void }) {
  const asking = useOperation(requestLogs)
  const { mutate } = asking
  const ask = () => mutate({ params: { asset_id: asset.id, name }, body: { lines: 200 } })
  useEffect(() => mutate({ params: { asset_id: asset.id, name }, body: { lines: 200 } }), [mutate, asset.id, name])
  const request_id = asking.data?.request_id ?? ''
  const { data } = useQuery({ ...q(getLogs, { params: { asset_id: asset.id, request_id } }), enabled: request_id !== '' })
  const lines = (data?.lines ?? []).map(({ at, stream, text }, place) => ({
    id: String(place),
    time: at ? at.slice(11, 23) : '',
    level: stream === 'stderr' ? ('warn' as const) : ('info' as const),
    text,
  }))
  return (
    <Modal
      open
      onClose={onClose}
      size="large"
      title={`Log of ${name}`}
      footer={
        <>
          <ActionButton operation={requestLogs} loading={asking.isPending} onClick={ask}>
            Read again
          </ActionButton>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {asking.error && <FailureNotice of={asking.error} />}
      {data?.state === 'failed' && <Notice tone="bad">{data.words}</Notice>}
      {!online && <Notice tone="warn">The device is offline. The lines come if it is back within a minute.</Notice>}
      <StreamLog
        label={`Log of ${name}`}
        lines={lines}
        state={data?.state === 'here' ? `The last ${lines.length} lines; times are UTC` : 'Waiting for the device'}
        empty={data?.state === 'here' ? 'It wrote nothing yet.' : 'The lines come from the device.'}
      />
    </Modal>
  )
}
