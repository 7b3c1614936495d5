import type { Asset } from '@masthead/contract/assets/asset'
import { addEsimProfile, deleteEsimProfile, updateActiveEsim, withdrawEsimJob } from '@masthead/contract/devices/network/operations'
import type { EsimProfile } from '@masthead/contract/devices/network/reported'
import { esimMayWithdraw, esimNotBegun, esimWaits, isChanging, type Network } from '@masthead/contract/devices/network/view'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ActionButton, useDenied } from '../../../kit/ActionButton.tsx'
import { ConfirmButton, ConfirmCall } from '../../../kit/ConfirmCall.tsx'
import { later } from '../../../kit/later.tsx'
import { RelativeTime } from '../../../kit/RelativeTime.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { StateShape } from '../../../ui/StateShape.tsx'
import { oneAtATime } from './network-words.ts'

const EsimModal = later(() => import('./EsimModal.tsx').then((file) => file.EsimModal), null)

/** The profiles of the device's eSIM, as it reports them, and what it is to do with them. */
export function EsimPanel({ asset, network }: { asset: Asset; network: Network }) {
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useState<{ profile: EsimProfile; to: 'switch' | 'delete' } | null>(null)
  const close = () => setAsked(null)
  const denied = useDenied()
  const esim = network.reported?.esim
  const busy = esimWaits(network) ? 'The device is changing its eSIM profiles already' : null
  const waits = busy ?? (isChanging(network) ? oneAtATime : null)
  if (!esim || esim.words)
    return (
      <Panel flush title="eSIM profiles">
        <p className="px-4 py-3 text-fg-3 text-pretty">{esim?.words ? `${esim.words}.` : 'The device has not reported an eSIM.'}</p>
        <Job asset={asset} network={network} />
      </Panel>
    )
  const asking = asked?.profile
  const input = { params: { asset_id: asset.id }, body: { iccid: asking?.iccid ?? '' } }
  return (
    <Panel
      flush
      title="eSIM profiles"
      end={
        <ActionButton operation={addEsimProfile} size="small" color="ghost" icon={Plus} disabled={waits} onClick={() => setAdding(true)}>
          Add profile
        </ActionButton>
      }
    >
      {esim.profiles.length === 0 && <p className="px-4 py-3 text-fg-3">The eSIM has no profile.</p>}
      <ul className="divide-y divide-line" aria-label="Profiles of the eSIM">
        {esim.profiles.map((profile) => (
          <li key={profile.iccid} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
            <StateShape shape={profile.enabled ? 'disc' : 'ring'} tone={profile.enabled ? 'ok' : 'idle'} />
            <span className="min-w-0 flex-1">
              <span className="font-medium wrap-anywhere">{nameOf(profile)}</span>
              {profile.enabled && <span className="text-fg-2"> in use</span>}
              <span className="mono block text-xs wrap-anywhere text-fg-3">{profile.iccid}</span>
              {!profile.enabled && network.wanted?.profile === profile.iccid && (
                <span className="block text-xs text-fg-2">Wanted, and not in use as the device says</span>
              )}
            </span>
            {!profile.enabled && (
              <span className="flex flex-none gap-1">
                <ActionButton
                  operation={updateActiveEsim}
                  size="small"
                  aria-label={`Switch to ${nameOf(profile)}`}
                  disabled={waits}
                  onClick={() => setAsked({ profile, to: 'switch' })}
                >
                  Switch
                </ActionButton>
                <IconButton
                  label={`Delete ${nameOf(profile)}`}
                  icon={Trash2}
                  size="small"
                  disabled={denied(deleteEsimProfile) ?? waits}
                  onClick={() => setAsked({ profile, to: 'delete' })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      <Job asset={asset} network={network} />
      {adding && <EsimModal asset={asset} onClose={() => setAdding(false)} />}
      <ConfirmCall
        open={asked?.to === 'switch'}
        onClose={close}
        operation={updateActiveEsim}
        input={input}
        title={`Switch to ${asking ? nameOf(asking) : ''}?`}
        confirm="Switch"
      >
        The cellular connection breaks for about 40 seconds. If the device does not reach this console within 90 seconds, it switches back
        by itself.
      </ConfirmCall>
      <ConfirmCall
        open={asked?.to === 'delete'}
        onClose={close}
        operation={deleteEsimProfile}
        input={input}
        title={`Delete ${asking ? nameOf(asking) : ''}?`}
        confirm="Delete"
        color="danger"
      >
        Most operators let an activation code be used once: the profile can then not be added again.
      </ConfirmCall>
    </Panel>
  )
}

const nameOf = ({ name, provider, iccid }: EsimProfile) => name ?? provider ?? iccid

/** What is to be done with the profiles, as far as the device said. */
function Job({ asset, network }: { asset: Asset; network: Network }) {
  const { wanted, reported } = network
  const job = reported?.esim?.job
  const what = (act: 'add' | 'delete') => (act === 'add' ? 'Adding a profile' : 'Deleting a profile')
  if (wanted?.esim_job && esimMayWithdraw(network, new Date())) {
    const begun = !esimNotBegun(network)
    const unbegun = wanted.sent_at ? 'the device asked for it, and has not begun.' : 'the device does not know of it yet.'
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2.5">
        <p className="min-w-0 flex-1 text-fg-2">
          {what(wanted.esim_job.do)}: {begun ? 'the device began, and has been offline for more than an hour.' : unbegun}
        </p>
        <ConfirmButton
          operation={withdrawEsimJob}
          input={{ params: { asset_id: asset.id } }}
          label="Withdraw"
          size="small"
          color="ghost"
          title={`${what(wanted.esim_job.do)}: withdraw it?`}
          done="It is withdrawn"
        >
          {begun
            ? 'The device may have done it. Once it is back, it reports which profiles there are.'
            : 'The device has not begun, as far as it said. If it asked for it already and is offline now, it may still do it.'}
        </ConfirmButton>
      </div>
    )
  }
  // What was withdrawn meanwhile is no progress.
  if (!job || (job.state === 'running' && !esimWaits(network))) return null
  if (job.state === 'done') {
    const added = job.do === 'add' && reported?.esim?.profiles.find(({ iccid }) => iccid === job.iccid)
    return (
      <p className="border-t border-line px-4 py-2.5 text-fg-2 text-pretty">
        {added ? `${nameOf(added)} was added` : `A profile was ${job.do === 'add' ? 'added' : 'deleted'}`} <RelativeTime at={job.at} />
        {job.words && <span className="block text-xs wrap-anywhere">{job.words}</span>}
      </p>
    )
  }
  if (job.state === 'failed')
    return (
      <div className="border-t border-line p-3">
        <Notice tone="bad">
          {what(job.do)} failed. <span className="mono block text-xs wrap-anywhere">{job.words}</span>
        </Notice>
      </div>
    )
  return (
    <div className="grid gap-2 border-t border-line px-4 py-2.5">
      <ProgressBar label={what(job.do)} value={job.percent / 100} tone="info" />
      <span className="text-xs text-fg-3">
        {job.step ? <span className="mono wrap-anywhere">{job.step}</span> : 'Begun'}. What is in use stays in use.
      </span>
    </div>
  )
}
