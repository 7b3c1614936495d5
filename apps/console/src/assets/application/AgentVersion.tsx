import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getAgent, updateAgent } from '@masthead/contract/devices/agent/operations'
import type { Agent } from '@masthead/contract/devices/agent/update'
import { ArrowUpCircle } from 'lucide-react'
import { q } from '../../api/query.ts'
import { ConfirmButton } from '../../kit/ConfirmCall.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** The version of the agent on the device, and its update where the server has a newer one. */
export function AgentVersion({ asset, online }: { asset: Asset; online: boolean }) {
  const { data } = useQuery(q(getAgent, { params: { asset_id: asset.id } }))
  if (!data) return <>—</>
  const { version, offered, newer, update } = data
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="tnum">{version ?? '—'}</span>
      {newer && (
        <>
          <span className="text-fg-3">newer version there: {offered}</span>
          <ConfirmButton
            operation={updateAgent}
            input={{ params: { asset_id: asset.id } }}
            label="Update"
            icon={ArrowUpCircle}
            size="small"
            disabled={update && isUnderWay(update) ? 'An update is under way' : null}
            title={`Update the agent of ${asset.name} to ${offered}?`}
            done={online ? 'The device was asked to update its agent' : 'The device updates its agent when it is back'}
          >
            Containers go on running; terminals and tunnels to the device end. If the new version does not come up within two minutes, the
            device uses version {version} again.
          </ConfirmButton>
        </>
      )}
    </span>
  )
}

type Update = NonNullable<Agent['update']>
const isUnderWay = ({ state }: Update) => state === 'asked' || state === 'downloading' || state === 'on_trial'

const words: Record<Update['state'], { tone: 'info' | 'warn' | 'bad'; says: (update: Update, online: boolean) => string } | null> = {
  asked: {
    tone: 'info',
    says: ({ version }, online) =>
      online
        ? `The device was asked to update its agent to ${version}.`
        : `The device is offline. It updates its agent to ${version} when it is back.`,
  },
  downloading: {
    tone: 'info',
    says: ({ version, percent }) => `The device downloads version ${version} of the agent${percent === null ? '' : `, ${percent} %`}.`,
  },
  on_trial: {
    tone: 'info',
    says: ({ version }) =>
      `Version ${version} of the agent runs on trial. If it does not hold for two minutes, the device uses the one before again.`,
  },
  failed: { tone: 'bad', says: ({ version }) => `The agent could not be updated to ${version}. The device tries again every few minutes.` },
  gone_back: { tone: 'bad', says: ({ version }) => `The agent was updated to ${version}, and went back to the version before.` },
  lapsed: {
    tone: 'warn',
    says: ({ version }) => `The update of the agent to ${version} was not made: the server has another version by now.`,
  },
  done: null,
}

/** How far the update of the agent is, which was asked for last. */
export function AgentUpdateNotice({ asset, online }: { asset: Asset; online: boolean }) {
  const { data } = useQuery(q(getAgent, { params: { asset_id: asset.id } }))
  const update = data?.update
  const shown = update && words[update.state]
  if (!shown) return null
  return (
    <Notice tone={shown.tone} strip>
      {shown.says(update, online)} {update.words && <span className="block wrap-anywhere">{update.words}</span>}
      <span className="block text-xs text-fg-3">
        asked for by {update.asked_by === 'system' ? 'the automatic updates' : update.asked_by}, <RelativeTime at={update.asked_at} />
      </span>
    </Notice>
  )
}
