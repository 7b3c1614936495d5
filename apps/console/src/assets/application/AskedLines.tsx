import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getLogs } from '@masthead/contract/devices/agent/operations'
import { q } from '../../api/query.ts'
import { FailureNotice, type Said } from '../../ui/FailureNotice.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { StreamLog } from '../../ui/StreamLog.tsx'

const hereWords = (lines: number) => `${lines === 1 ? 'The last line' : `The last ${lines} lines`}; times are UTC`

/** The last lines of a log that a device was asked for, once they come. `refused`: it could not be asked. */
export function AskedLines({
  asset,
  label,
  request_id,
  refused,
}: {
  asset: Asset
  label: string
  request_id: string
  refused: Said | null
}) {
  const { data, error } = useQuery({ ...q(getLogs, { params: { asset_id: asset.id, request_id } }), enabled: request_id !== '' })
  const lines = (data?.lines ?? []).map(({ at, stream, text }, place) => ({
    id: String(place),
    time: at ? at.slice(11, 23) : '',
    level: stream === 'stderr' ? ('warn' as const) : ('info' as const),
    text,
  }))
  const failure = refused ?? error
  const failed = failure !== null || data?.state === 'failed'
  return (
    <>
      {failure && <FailureNotice of={failure} />}
      {data?.state === 'failed' && <Notice tone="bad">{data.words}</Notice>}
      <StreamLog
        label={label}
        lines={lines}
        state={failed ? 'Not read' : data?.state === 'here' ? hereWords(lines.length) : 'Waiting for the device'}
        empty={failed ? 'Read it again.' : data?.state === 'here' ? 'It wrote nothing yet.' : 'The lines come from the device.'}
      />
    </>
  )
}
