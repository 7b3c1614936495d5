import type { Asset } from '@masthead/contract/assets/asset'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { askStaff, releaseAsset, resetSim, swapSim } from '@masthead/contract/assets/sim-operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { q, useOperation } from '../../api/query.ts'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { plain, toast } from '../../ui/toast.ts'
import { whyAsked } from './ask-words.ts'
import { LeaveFields, leavingFault, leavingTo, startLeaving } from './LeaveFields.tsx'

type Props = { asset: Asset; onClose: () => void }

/** Another SIM in the same asset. */
export function SwapDialog({ asset, onClose }: Props) {
  const [token, setToken] = useState('')
  const [before, setBefore] = useState<'deactivate' | 'terminate'>('deactivate')
  const call = useOperation(swapSim)
  const { iccid, state } = asset.sim!
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Swap the SIM of ${asset.name}`}
      confirm="Swap SIM"
      loading={call.isPending}
      failure={call.error}
      blocked={token.trim().length < 3 ? 'Enter the ICCID or serial number of the new SIM' : null}
      {...(before === 'terminate' && state !== 'terminated' && { typed: iccid.slice(-6) })}
      onConfirm={() =>
        call.mutate(
          { params: { asset_id: asset.id }, body: { token: token.trim(), before } },
          {
            onSuccess: ({ sim }) => {
              toast.success(`${plain(asset.name)} has the SIM ${sim!.iccid} now`)
              onClose()
            },
          }
        )
      }
    >
      <p>
        The asset keeps its name, its tags, its limit, its IMEI lock and its whole history. The SIM in it now,{' '}
        <span className="mono wrap-anywhere">{iccid}</span>, stays in the list of its SIMs.
      </p>
      <TextField
        label="ICCID or serial number of the new SIM"
        value={token}
        mono
        autoComplete="off"
        data-autofocus
        onChange={({ target }) => setToken(target.value)}
      />
      {state !== 'terminated' && (
        <RadioGroup
          label="The SIM in it now"
          value={before}
          onChange={setBefore}
          choices={[
            { value: 'deactivate', label: 'Set it to inactive', about: 'It can be activated again later.' },
            { value: 'terminate', label: 'Terminate it', about: 'It leaves the network for ever.' },
          ]}
        />
      )}
    </Confirm>
  )
}

/** Back to stock, or over to another account. */
export function ReleaseDialog({ asset, onClose }: Props) {
  const [leaving, setLeaving] = useState(startLeaving)
  const navigate = useNavigate()
  const call = useOperation(releaseAsset)
  const to = leavingTo(leaving)
  const inUse = asset.sim?.session ? 'It has an open session: deactivate its SIM first' : null
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Hand over ${asset.name}`}
      confirm={to === null ? 'Give back' : 'Hand over'}
      color="danger"
      loading={call.isPending}
      failure={call.error && { ...call.error, detail: call.error.fields?.to ?? call.error.detail }}
      typed={asset.serial}
      blocked={inUse ?? leavingFault(leaving)}
      onConfirm={() =>
        call.mutate(
          { params: { asset_id: asset.id }, body: { to, serial: asset.serial } },
          {
            onSuccess: () => {
              toast.success(
                to
                  ? `${plain(asset.name)} waits for the account of ${plain(to)}, which can register it now`
                  : `${plain(asset.name)} is back in stock`
              )
              onClose()
              void navigate('/assets', { replace: true })
            },
          }
        )
      }
    >
      {/* Said before anything is typed, and where nothing can be pointed at. */}
      {inUse && <Notice tone="warn">{inUse}.</Notice>}
      <LeaveFields of="one" leaving={leaving} onChange={setLeaving} />
    </Confirm>
  )
}

/** What support staff are asked, with what we know filled in. */
export function AskDialog({ asset, onClose }: Props) {
  const { sim } = asset
  // As the service path asks for it.
  const { data: history } = useQuery({
    ...q(getServiceHistory, { params: { asset_id: asset.id } }),
    enabled: sim !== null && sim.session === null,
  })
  const why = sim ? whyAsked(sim, history?.refused) : []
  const filled = why.length > 0 ? `${asset.name} has no service: ${why.join(', ')}. Please tell us what is needed, or lift it.` : ''
  const [typed, setMessage] = useState<string | null>(null)
  const message = typed ?? filled
  const call = useOperation(askStaff)
  return (
    <Confirm
      open
      onClose={onClose}
      title="Ask support staff"
      confirm="Send"
      loading={call.isPending}
      failure={call.error}
      blocked={message.trim() === '' ? 'Say what you need' : null}
      onConfirm={() =>
        call.mutate(
          { params: { asset_id: asset.id }, body: { message: message.trim() } },
          {
            onSuccess: () => {
              toast.success('Sent. Support staff answer by e-mail')
              onClose()
            },
          }
        )
      }
    >
      <p>They get your message with the serial number, the ICCID, IMSI and IMEI, its session, and every reason why it has no service.</p>
      <TextArea label="Your message" rows={5} value={message} onChange={({ target }) => setMessage(target.value)} />
    </Confirm>
  )
}

/** So that the device attaches anew. */
export const ResetDialog = ({ asset, onClose }: Props) => (
  <ConfirmCall
    onClose={onClose}
    operation={resetSim}
    input={{ params: { asset_id: asset.id } }}
    title="Reset the connectivity?"
    confirm="Reset"
    onDone={({ words }) => toast.info(words)}
  >
    <p>
      <b className="font-medium text-fg wrap-anywhere">{asset.name}</b>
    </p>
    <p>
      {asset.sim?.session
        ? 'Its live session is cut, and the device attaches anew by itself. What the gateway answers appears here within seconds.'
        : 'No session is open now. If one is when you confirm, it is cut and the device attaches anew.'}
    </p>
  </ConfirmCall>
)
