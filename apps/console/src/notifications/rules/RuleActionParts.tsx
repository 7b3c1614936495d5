import { goesWith, ruleActions, ruleLasts, ruleStarts, type RuleAction } from '@masthead/contract/notifications/rule-action'
import { Controller } from 'react-hook-form'
import { FormBytes } from '../../assets/sim/index.ts'
import { FormNumber } from '../../kit/FormField.tsx'
import { FormMultiSelect, FormSelect } from '../../kit/FormSelect.tsx'
import { GroupSelect } from '../../network-groups/index.ts'
import { Select } from '../../ui/Select.tsx'
import { actionWords, timeWords } from './rule-words.ts'

const delays = [0, 5, 30, 60, 240, 720, 1440]
const delayOptions = delays.map((minutes) => ({ value: String(minutes), label: minutes === 0 ? 'At once' : `After ${timeWords(minutes)}` }))
const startsOptions = Object.entries(ruleStarts).map(([value, label]) => ({ value, label }))
const lastsOptions = Object.entries(ruleLasts).map(([value, label]) => ({ value, label }))
const periodOptions = [
  { value: 'month', label: 'A month' },
  { value: 'day', label: 'A day' },
]

/** What a rule does to SIMs: what it needs for that, when, and for how long. */
export const ActionParts = ({ actions }: { actions: readonly RuleAction[] }) => (
  <>
    <FormMultiSelect name="more_actions" label="And" options={besides(actions)} placeholder="Nothing else" />
    {actions.includes('set_network_group') && (
      <Controller
        name="network_group"
        render={({ field }) => <GroupSelect value={field.value as string | null} onChange={field.onChange} />}
      />
    )}
    {actions.includes('set_limit') && <LimitParts />}
    <FormSelect name="starts" label="Its action is due" options={startsOptions} />
    <Controller
      name="after_minutes"
      render={({ field }) => (
        <Select
          label="It is done"
          hint={`Until then anybody who may can call it off.${actions.map((action) => hints[action] ?? '').join('')}`}
          options={delayOptions}
          value={String(field.value)}
          onChange={(next) => field.onChange(Number(next))}
        />
      )}
    />
    <FormSelect
      name="lasts"
      label="It is taken back"
      options={lastsOptions}
      hint="A SIM that somebody has changed meanwhile stays as it is."
    />
    <FormNumber
      name="most_sims"
      label="Changes so many SIMs a day at most"
      hint="When it fires for more SIMs at once, the cause is rarely the SIMs: of the others it only notifies."
      min={1}
      max={1000}
    />
  </>
)

/** What can be done beside the first of them: what sets another thing of the SIM than those that are chosen. */
const besides = ([first, ...more]: readonly RuleAction[]) =>
  (Object.keys(ruleActions) as RuleAction[])
    .filter((action) => first !== undefined && goesWith(action, [first]))
    .map((value) => ({ value, label: actionWords(value), disabled: !more.includes(value) && !goesWith(value, more) }))

const hints: Partial<Record<RuleAction, string>> = {
  imei_lock: ' The SIM is locked to the device that it was in last; without one to the first that comes.',
  block_sim: ' Its state stays as it is. The block goes when that is taken back, or when somebody activates the SIM.',
  activate_sim: ' An active SIM is charged as the price list says.',
}

const LimitParts = () => (
  <>
    <FormBytes
      name="limit_bytes"
      label="Limit"
      hint="It wins over the limit of its network group. When it is reached, the SIM is blocked."
    />
    <FormSelect name="limit_period" label="Counted" options={periodOptions} />
  </>
)
