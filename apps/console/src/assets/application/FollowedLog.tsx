import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { followLogs, getFollowedLogs } from '@masthead/contract/devices/agent/operations'
import { useEffect, useState } from 'react'
import type { Failure } from '../../api/client.ts'
import { useLive } from '../../api/live.ts'
import { q, queries, useOperation } from '../../api/query.ts'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { StreamLog, type LogLine } from '../../ui/StreamLog.tsx'
import { joinParts } from './followed-lines.ts'

/** The device sends for half a minute: so often it is asked to go on, for as long as somebody looks. */
const again = 20_000 // ms

/** The log of a container as it is written. While it is paused, or the window is not visible, the device stops sending. */
export function FollowedLog({ asset, name, paused }: { asset: Asset; name: string; paused: boolean }) {
  const following = useOperation(followLogs)
  const { mutate } = following
  useEffect(() => {
    if (paused) return
    const ask = () => document.visibilityState === 'visible' && mutate({ params: { asset_id: asset.id, name } })
    ask()
    const timer = setInterval(ask, again)
    return () => clearInterval(timer)
  }, [mutate, asset.id, name, paused])
  // Parts of what was followed before are there still: they belong to the log, and come first.
  const [begun] = useState(() => Date.now())
  const parts = q(getFollowedLogs, { params: { asset_id: asset.id, name } })
  const key = [...parts.queryKey, begun]
  const { data: lines = [], error } = useQuery<LogLine[], Failure>({
    queryKey: key,
    queryFn: async (context): Promise<LogLine[]> => {
      const before = queries.getQueryData<LogLine[]>(key) ?? []
      const answer = await (parts.queryFn as (given: typeof context) => Promise<{ parts: Parameters<typeof joinParts>[1] }>)(context)
      return joinParts(before, answer.parts)
    },
    enabled: !paused,
    gcTime: 0,
  })
  const failure = following.error ?? error
  // The stream notifies of new parts: without it nothing comes, and nothing fails for a while.
  const cut = useLive(({ state }) => state !== 'live' && state !== 'off')
  return (
    <>
      {failure && <FailureNotice of={failure} />}
      <StreamLog
        label={`Log of ${name}`}
        lines={lines}
        state={
          paused
            ? 'Paused: the device sends nothing'
            : failure
              ? 'Not read; it is tried again'
              : cut
                ? 'Reconnecting; what is written meanwhile comes then'
                : lines.length === 0
                  ? 'Waiting for the device'
                  : 'Live; times are UTC'
        }
        empty={paused ? 'It is paused.' : 'Lines come as the container writes them.'}
      />
    </>
  )
}
