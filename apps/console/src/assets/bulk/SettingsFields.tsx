import type { AlikeAction } from '@masthead/contract/assets/bulk/bulk-action'
import type { ImeiLock } from '@masthead/contract/assets/device'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import type { ReactNode } from 'react'
import { BytesField, limitFault, raiseFault } from '../sim/index.ts'
import { LeaveFields, leavingFault, leavingTo, startLeaving, type Leaving } from '../sim/LeaveFields.tsx'
import { GroupSelect } from '../../network-groups/index.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { changeOf, CoreConfigFields, draftFault, emptyDraft, type ConfigDraft } from './CoreConfigFields.tsx'

/** What actions take besides assets and tags, as it is chosen. */
export type Settings = {
  kind: 'own' | 'none'
  bytes: number | null
  period: LimitPeriod
  raise: number | null
  lock: ImeiLock | 'group'
  group: string | null
  config: ConfigDraft
  leaving: Leaving
}
export const startSettings: Settings = {
  kind: 'own',
  bytes: 1e9,
  period: 'month',
  raise: 2e9,
  lock: 'lock',
  group: null,
  config: emptyDraft,
  leaving: startLeaving,
}

/** Why an action cannot be asked as it stands, in words. */
export function settingsFault(action: AlikeAction, { kind, bytes, raise, group, config, leaving }: Settings): string | null {
  if (action === 'set_limit') return kind === 'none' ? null : limitFault(bytes)
  if (action === 'set_network_group') return group === null ? 'Choose a group first' : null
  if (action === 'configure_core') return draftFault(config)
  if (action === 'release') return leavingFault(leaving)
  return action === 'raise_limit' ? raiseFault(raise) : null
}

/** The same as the API takes it. */
export function bodyOf(action: AlikeAction, { kind, bytes, period, raise, lock, group, config, leaving }: Settings) {
  if (action === 'set_limit') return { limit: kind === 'none' || bytes === null ? null : { bytes, period } }
  if (action === 'raise_limit') return { raise_bytes: raise ?? 0 }
  if (action === 'imei_lock') return { imei_lock: lock === 'group' ? null : lock }
  if (action === 'set_network_group') return group === null ? {} : { network_group: group }
  if (action === 'release') return { to: leavingTo(leaving) }
  if (action === 'configure_core') return { core_config: changeOf(config) }
  return {}
}

type Props = { action: AlikeAction; settings: Settings; onChange: (settings: Settings) => void }

/** What an action does, in words, and the fields of what it takes. */
export function SettingsFields({ action, settings, onChange }: Props) {
  const set = (change: Partial<Settings>) => onChange({ ...settings, ...change })
  if (action === 'set_limit') return <LimitFields settings={settings} set={set} />
  if (action === 'raise_limit')
    return (
      <>
        <BytesField label="What each may use in all" value={settings.raise} onChange={(raise) => set({ raise })} />
        <p>For the period that runs alone: then each has its usual limit again. SIMs blocked for their limit come back on the network.</p>
      </>
    )
  if (action === 'imei_lock')
    return (
      <RadioGroup
        label="IMEI lock"
        value={settings.lock}
        onChange={(lock) => set({ lock })}
        choices={[
          { value: 'off', label: 'Any device' },
          { value: 'watch', label: 'Any device, with an alert when it changes' },
          {
            value: 'lock',
            label: 'The device it was seen in last',
            about:
              'A SIM that is blocked for its device is locked to that very device and comes back. One that was never seen takes the first that connects.',
          },
          { value: 'group', label: 'As its network group says' },
        ]}
      />
    )
  if (action === 'set_network_group') return <GroupSelect value={settings.group} onChange={(group) => set({ group })} />
  if (action === 'configure_core') return <CoreConfigFields draft={settings.config} onChange={(config) => set({ config })} />
  if (action === 'release') return <LeaveFields of="many" leaving={settings.leaving} onChange={(leaving) => set({ leaving })} />
  return words[action] ? <p>{words[action]}</p> : null
}

type Part = { settings: Settings; set: (change: Partial<Settings>) => void }

const periods = [
  { value: 'month', label: 'A month' },
  { value: 'day', label: 'A day' },
] as const

function LimitFields({ settings: { kind, bytes, period }, set }: Part) {
  return (
    <>
      <RadioGroup
        label="Limit"
        hideLabel
        value={kind}
        onChange={(kind) => set({ kind })}
        choices={[
          { value: 'own', label: 'A limit of their own' },
          { value: 'none', label: 'None of their own', about: 'The limits of their network groups apply, if those have one.' },
        ]}
      />
      {kind === 'own' && (
        <>
          <BytesField label="Data" value={bytes} onChange={(bytes) => set({ bytes })} />
          <Segmented label="Counted" options={periods} value={period} onChange={(period) => set({ period })} />
        </>
      )}
      <p>A SIM that has used more is blocked at once, and one that has used less comes back.</p>
    </>
  )
}

const words: Partial<Record<AlikeAction, ReactNode>> = {
  activate_sim:
    'The network accepts them from now on, also where an alert rule blocked them: its block is taken off. A session starts when a device connects.',
  deactivate_sim: (
    <>
      Live sessions are <b className="font-medium text-fg">cut at once</b>, and new ones are rejected until the SIMs are activated again.
      The SIMs keep their numbers, their tags and their usage.
    </>
  ),
  reset_sim:
    'The gateways are asked to end their open sessions, and each device attaches anew by itself. Nothing else of the SIMs is changed. Of many SIMs this takes a while, because sessions of SIMs without service are cut first.',
  switch_on: 'Each SIM has service again as it is set, unless something else blocks it.',
  switch_off: (
    <>
      Their SIMs have no service while they are off, and live sessions are <b className="font-medium text-fg">cut at once</b>. Each SIM
      stays set as it is, which applies again when its asset is switched on.
    </>
  ),
  standby_sim: 'They keep their place on the network. Each is active again by itself when its device connects.',
  ready_sim:
    'They cost nothing until their first session, or until their test allowance is used up. Only SIMs that were never active can be ready.',
  update_core:
    'Their managers and agents fetch what is newest and restart. A device that is offline is asked when it comes back within a day.',
  update_agent:
    'Each fetches the version that this server has and starts it; containers go on running. One that does not come up within two minutes goes back to the version before. A device that is offline follows when it is back.',
  terminate_sim: (
    <>
      They leave the network <b className="font-medium text-fg">for ever</b>, and live sessions are cut. Nobody can bring them back. Their
      usage and history stay.
    </>
  ),
}
