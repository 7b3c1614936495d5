import type { Asset } from '@masthead/contract/assets/asset'
import { mostImeis, parseImei, type ImeiLock } from '@masthead/contract/assets/device'
import { acceptDevice, setImeiLock } from '@masthead/contract/assets/sim-operations'
import type { Sim } from '@masthead/contract/assets/sim'
import { useState } from 'react'
import { useOperation } from '../../api/query.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { plain, toast } from '../../ui/toast.ts'
import { SimEffect } from '../later-sim-effect.ts'
import { lockWords } from './lock-words.ts'

type Props = { asset: Asset; sim: Sim; onClose: () => void }
type Mode = ImeiLock | 'group'

/** Accepts the device that the SIM was seen in last. */
export function AcceptDialog({ asset, sim, onClose }: Props) {
  const [how, setHow] = useState<'beside' | 'alone'>('beside')
  const call = useOperation(acceptDevice)
  const alone = how === 'alone'
  return (
    <Confirm
      open
      onClose={onClose}
      title="Accept this device?"
      confirm={alone ? 'Lock to it' : 'Accept device'}
      loading={call.isPending}
      failure={call.error}
      blocked={sim.imei === null ? 'The network has reported no device yet' : null}
      onConfirm={() =>
        call.mutate(
          { params: { asset_id: asset.id }, body: { alone, ...(sim.imei !== null && { imei: sim.imei }) } },
          {
            onSuccess: () => {
              toast.success(alone ? `${plain(asset.name)} is locked to IMEI ${sim.imei}` : `IMEI ${sim.imei} is accepted`)
              onClose()
            },
          }
        )
      }
    >
      <p>
        The SIM of <b className="font-medium text-fg wrap-anywhere">{asset.name}</b> was seen last in the device with IMEI{' '}
        <span className="mono">{sim.imei ?? '—'}</span>.
      </p>
      <RadioGroup
        label="Accept it"
        hideLabel
        value={how}
        onChange={setHow}
        choices={[
          {
            value: 'beside',
            label: 'Accept it as well',
            about: sim.imei_lock.imeis.length > 0 ? `Beside ${sim.imei_lock.imeis.join(', ')}.` : 'Other devices can be accepted later.',
          },
          { value: 'alone', label: 'Lock to it', about: 'No other device is accepted from now on.' },
        ]}
      />
    </Confirm>
  )
}

/** Which devices the SIM may be used in. */
export function DevicesDialog({ asset, sim, onClose }: Props) {
  const { own, mode: applies, imeis } = sim.imei_lock
  const [mode, setMode] = useState<Mode>(own ?? 'group')
  const [text, setText] = useState((imeis.length > 0 ? imeis : sim.imei ? [sim.imei] : []).join('\n'))
  const call = useOperation(setImeiLock)
  const lines = text.split(/[\s,;]+/).filter(Boolean)
  const wrong = lines.find((line) => parseImei(line) === null)
  const fault =
    mode !== 'lock'
      ? null
      : wrong
        ? `${wrong} is no IMEI: it has 15 digits, the last a check digit`
        : lines.length > mostImeis
          ? `At most ${mostImeis}`
          : null
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Devices of ${asset.name}`}
      confirm="Save"
      loading={call.isPending}
      failure={call.error}
      blocked={fault}
      onConfirm={() =>
        call.mutate(
          { params: { asset_id: asset.id }, body: { mode: mode === 'group' ? null : mode, ...(mode === 'lock' && { imeis: lines }) } },
          {
            onSuccess: () => {
              toast.success(`Saved which devices ${plain(asset.name)} may be used in`)
              onClose()
            },
          }
        )
      }
    >
      <RadioGroup
        label="IMEI lock"
        value={mode}
        onChange={setMode}
        choices={[
          { value: 'off', label: 'Any device' },
          { value: 'watch', label: 'Any device, with an alert when it changes' },
          { value: 'lock', label: 'These devices alone', about: 'Any other is refused, and its session is cut.' },
          { value: 'group', label: 'As its network group says', about: own === null ? `Now: ${lockWords(applies, imeis)}.` : undefined },
        ]}
      />
      {mode === 'lock' && (
        <TextArea
          label="Accepted IMEIs"
          mono
          rows={3}
          value={text}
          onChange={({ target }) => setText(target.value)}
          error={fault}
          hint={lines.length === 0 ? 'Empty: the next device that connects is accepted, and no other after it.' : 'One in each line.'}
        />
      )}
      {mode !== 'lock' && mode !== (own ?? 'group') && (
        <SimEffect asset_id={asset.id} of={{ action: 'imei_lock', imei_lock: mode === 'group' ? null : mode }} />
      )}
      {mode === 'lock' && sim.imei !== null && !lines.some((line) => parseImei(line) === sim.imei) && lines.length > 0 && sim.session && (
        <p>The device in use now, IMEI {sim.imei}, is not among them: its session is cut.</p>
      )}
    </Confirm>
  )
}
