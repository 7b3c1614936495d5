import { useQuery } from '@tanstack/react-query'
import { listViews } from '@masthead/contract/assets/views/view-operations'
import { severities } from '@masthead/contract/notifications/alert'
import {
  asksForAssets,
  asksForLittle,
  ofWholeDays,
  ruleMetrics,
  shownBy,
  type Rule,
  type RuleFields,
  type RuleMetric,
} from '@masthead/contract/notifications/rule'
import { actionsOf, goesWith, ruleActions, type RuleAction } from '@masthead/contract/notifications/rule-action'
import { createRule, listRules, updateRule } from '@masthead/contract/notifications/rule-operations'
import { countries } from '@masthead/contract/networks/countries'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { q } from '../../api/query.ts'
import { FormBytes } from '../../assets/sim/index.ts'
import { useDenied } from '../../kit/ActionButton.tsx'
import { FormNumber, FormText } from '../../kit/FormField.tsx'
import { FormScaled } from '../../kit/FormScaled.tsx'
import { FormMultiSelect, FormSelect } from '../../kit/FormSelect.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { FailureWords } from '../../ui/FailureNotice.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { countryName } from '../../ui/country-name.ts'
import { ActionParts } from './RuleActionParts.tsx'
import { countriesLabels, sameWords } from './rule-words.ts'

const lands = [...new Set(countries)]
  .map((code) => ({ value: code, label: countryName(code) }))
  .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))

/** What a rule starts with. */
const newRule: RuleFields = {
  name: '',
  metric: 'usage_day',
  threshold: 1e9,
  countries: [],
  scope: '',
  view_id: null,
  severity: 'warn',
  action: 'tell',
  more_actions: [],
  network_group: null,
  limit_bytes: 1e9,
  limit_period: 'month',
  lasts: 'for_good',
  starts: 'now',
  after_minutes: 0,
  cooldown_days: 1,
  most_sims: 20,
}
export const fieldsOf = ({ network_group, limit_bytes, ...rule }: Rule): RuleFields => {
  const { name, metric, threshold, countries, scope, view_id, severity, action, more_actions } = rule
  const { limit_period, lasts, starts, after_minutes, cooldown_days, most_sims } = rule
  return {
    name,
    metric,
    threshold,
    countries,
    scope,
    view_id,
    severity,
    action,
    more_actions,
    limit_period,
    lasts,
    starts,
    after_minutes,
    cooldown_days,
    most_sims,
    network_group: network_group?.id ?? null,
    limit_bytes: limit_bytes ?? newRule.limit_bytes,
  }
}

/** Makes a rule, or changes one. */
export function RuleModal({
  rule,
  scope = '',
  onClose,
  onDone,
}: {
  rule?: Rule
  scope?: string
  onClose: () => void
  onDone: (rule: Rule) => void
}) {
  if (rule) {
    return (
      <FormModal
        open
        onClose={onClose}
        title={`Edit ${rule.name}`}
        operation={updateRule}
        values={fieldsOf(rule)}
        input={(body) => ({ params: { rule_id: rule.id }, body })}
        submit="Save"
        size="large"
        onDone={onDone}
      >
        {rule.waiting > 0 && <Waiting rule={rule} />}
        <Parts />
      </FormModal>
    )
  }
  return (
    <FormModal
      open
      onClose={onClose}
      title="New rule"
      operation={createRule}
      values={{ ...newRule, scope }}
      submit="Create rule"
      size="large"
      onDone={onDone}
    >
      <Parts />
    </FormModal>
  )
}

/** What a change calls off. */
const Waiting = ({ rule: { waiting, cooldown_days } }: { rule: Rule }) => (
  <Notice tone="warn">
    {waiting === 1 ? '1 action is' : `${waiting.toLocaleString('en')} actions are`} to come. {waiting === 1 ? 'It is' : 'They are'} called
    off if you change when the rule fires, for which assets, or what it does then, and the rule does not fire again for{' '}
    {waiting === 1 ? 'that SIM' : 'those SIMs'} before {cooldown_days === 1 ? 'the next day' : `${cooldown_days} days are over`}.
  </Notice>
)

/** What a threshold of each unit begins with. */
const firstOf = {
  bytes: 1e9,
  times: 3,
  hours: 3,
  days: 7,
  minutes: 15,
  assets: 1,
  containers: 1,
  percent: 80,
  degrees: 75,
  fold: 3,
  money: 10e6,
}
const firstFor = (metric: RuleMetric) => (ofWholeDays(metric) ? 1e6 : firstOf[ruleMetrics[metric].unit])
const thresholdLabels = {
  times: 'Is at least so many times',
  hours: 'Is at least so many hours',
  days: 'Is at most so many days',
  minutes: 'Is at least so many minutes',
  containers: 'Is at least so many containers',
  degrees: 'Is at least so many degrees Celsius',
  assets: 'Is at least so many assets',
  percent: 'Is at least so many per cent',
  fold: 'Is at least so many times its usual',
}

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
/** Whoever does not see costs, data pools or prices makes no rule about them. */
const metricOptions = (denied: ReturnType<typeof useDenied>) =>
  (Object.keys(ruleMetrics) as RuleMetric[]).map((value) => {
    const shown = shownBy(value)
    return {
      value,
      label: ruleMetrics[value].label,
      ...(shown && denied({ ...shown, method: 'GET' }) !== null && { disabled: true, note: 'Not permitted' }),
    }
  })
/** Why some are not for whoever makes the rule. */
const deniedWords = (denied: ReturnType<typeof useDenied>) => {
  const words = (Object.keys(ruleMetrics) as RuleMetric[]).map((metric) => {
    const shown = shownBy(metric)
    const why = shown && denied({ ...shown, method: 'GET' })
    return why && `For a rule of ${shown.what}: ${lowerFirst(why)}`
  })
  return [...new Set(words)].filter(Boolean).join(' ') || null
}
const lowerFirst = (words: string) => `${words.charAt(0).toLowerCase()}${words.slice(1)}.`

function Parts() {
  const { control, setValue } = useFormContext<RuleFields>()
  const metric = useWatch({ control, name: 'metric' })
  const actions = actionsOf({ action: useWatch({ control, name: 'action' }), more_actions: useWatch({ control, name: 'more_actions' }) })
  const { unit, who, where } = ruleMetrics[metric]
  const denied = useDenied()
  /** What sets the same thing of the SIM does not stand beside it any more. */
  const fitMore = (next: RuleAction) =>
    setValue('more_actions', next === 'tell' ? [] : actions.slice(1).filter((one) => goesWith(one, [next])))
  return (
    <>
      <FormText name="name" label="Name" hint="What it is about: “Unusual use of a reefer”" />
      <Controller
        name="metric"
        render={({ field }) => (
          <Select
            label="When"
            options={metricOptions(denied)}
            hint={deniedWords(denied)}
            value={field.value as RuleMetric}
            onChange={(next) => {
              if (ruleMetrics[next].unit !== unit || asksForLittle(next) !== asksForLittle(metric)) setValue('threshold', firstFor(next))
              if (ruleMetrics[next].who !== 'sim') {
                setValue('action', 'tell')
                fitMore('tell')
              }
              if (!asksForAssets(next)) setValue('scope', '')
              if (!ruleMetrics[next].where) setValue('countries', [])
              if (next !== 'view_count') setValue('view_id', null)
              field.onChange(next)
            }}
          />
        )}
      />
      {unit === 'bytes' ? (
        <FormBytes name="threshold" label={asksForLittle(metric) ? 'Is at most' : 'Is at least'} />
      ) : unit === 'money' ? (
        <MoneyField key={unit} ofAccount={who === 'account'} />
      ) : (
        <FormNumber key={unit} name="threshold" label={thresholdLabels[unit]} min={1} />
      )}
      {metric === 'view_count' && <ViewSelect />}
      {where && <FormMultiSelect name="countries" label={countriesLabels[where]} options={lands} search placeholder="Choose countries" />}
      {asksForAssets(metric) && (
        <FormText
          name="scope"
          label="Of which assets"
          mono
          placeholder="tag:fleet country:PL"
          hint="A line as in the search of the assets list. Leave it empty for all assets."
        />
      )}
      <FormSelect name="severity" label="Severity" options={options(severities)} hint="Critical alerts mark the bell." />
      {who === 'sim' && (
        <Controller
          name="action"
          render={({ field, fieldState }) => (
            <Select
              label="Then"
              options={options(ruleActions)}
              value={field.value as RuleAction}
              onChange={(next) => {
                fitMore(next as RuleAction)
                field.onChange(next)
              }}
              error={fieldState.error?.message}
            />
          )}
        />
      )}
      {actions.length > 0 && <ActionParts actions={actions} />}
      <FormNumber name="cooldown_days" label={`Days until it fires again${sameWords[who]}`} decimals={0} min={1} max={30} />
    </>
  )
}

/** An amount in the currency in which the account is charged. */
function MoneyField({ ofAccount }: { ofAccount: boolean }) {
  const { data } = useQuery(q(listRules, {}))
  return (
    <FormScaled
      name="threshold"
      label="Is at least"
      scale={1e6}
      {...(data?.currency && { unit: data.currency })}
      hint={ofAccount ? null : 'Without the price of data pools, which is of the whole account.'}
    />
  )
}

/** One of the views that the team shares. */
function ViewSelect() {
  const { data, error } = useQuery(q(listViews, {}))
  const shared = (data?.items ?? []).filter((view) => view.shared)
  return (
    <FormSelect
      name="view_id"
      label="View of the team"
      placeholder="Choose a view"
      options={shared.map(({ id, name }) => ({ value: id, label: name }))}
      hint={
        error && !data ? (
          <>
            The views could not be loaded. <FailureWords of={error} />
          </>
        ) : data && shared.length === 0 ? (
          'The team shares no view yet. Views are saved and shared above the assets list.'
        ) : (
          'Views are saved and shared above the assets list. It counts what is in the view now: the last 30 days are not known of it.'
        )
      }
    />
  )
}
