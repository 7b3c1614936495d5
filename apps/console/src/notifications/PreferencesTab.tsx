import { useQuery } from '@tanstack/react-query'
import { alertSources, severities, type AlertSource, type Severity } from '@masthead/contract/notifications/alert'
import { getPreference, setPreference } from '@masthead/contract/notifications/operations'
import type { Preference } from '@masthead/contract/notifications/preference'
import { Controller, FormProvider, useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { FormText } from '../kit/FormField.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { UnsavedQuestion } from '../kit/LeaveQuestion.tsx'
import { timeZoneOptions } from '../kit/time-zones.ts'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Select } from '../ui/Select.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'

/** One’s own notification preferences on this account. */
export function PreferencesTab() {
  const { data, error, refetch } = useQuery(q(getPreference, {}))
  if (error && !data) return <ErrorState title="Your preferences could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={10} />
  return <PreferenceForm preference={data} />
}

function PreferenceForm({ preference }: { preference: Preference }) {
  const { form, submit, failure, submitting } = useOperationForm(setPreference, {
    values: preference,
    onDone: (_reply, saved) => {
      form.reset(saved, { keepValues: true })
      toast.success('Your preferences are saved')
    },
  })
  const { isDirty } = form.formState
  return (
    <FormProvider {...form}>
      <form noValidate className="@container grid max-w-[760px] gap-4" onSubmit={(event) => void submit(event)}>
        <UnsavedQuestion dirty={isDirty && !submitting} what="You have changed your notification preferences." />
        <Channels />
        <Sources />
        <QuietHours zone={preference.timezone} />
        {failure && <FailureNotice of={failure} />}
        <div className="flex gap-2">
          <Button type="submit" color="primary-solid" loading={submitting} disabled={isDirty ? null : 'Nothing has changed'}>
            Save preferences
          </Button>
          <Button disabled={isDirty ? submitting : 'Nothing has changed'} onClick={() => form.reset()}>
            Discard changes
          </Button>
        </div>
      </form>
    </FormProvider>
  )
}

const channels: readonly { name: 'in_app' | 'mail' | 'webhook'; label: string; note: React.ReactNode }[] = [
  { name: 'in_app', label: 'In the console', note: 'In the list of alerts and its count.' },
  { name: 'mail', label: 'E-mail', note: <MailNote /> },
  {
    name: 'webhook',
    label: 'Webhook',
    note: (
      <>
        To the account’s{' '}
        <Link to="/developer?tab=webhooks" className="underline underline-offset-3">
          webhooks
        </Link>{' '}
        that receive{' '}
        <code className="mono">
          notifications.
          <wbr />
          alert_raised
        </code>
        .
      </>
    ),
  },
]

function MailNote() {
  const email = useSession((session) => session.user?.email)
  const [name, host] = email?.split('@') ?? []
  return (
    <>
      To {name}
      <wbr />@{host}, bundled when several are due.
    </>
  )
}

const severityNames = Object.keys(severities) as Severity[]

/** Channel by severity. */
function Channels() {
  return (
    <Panel title="Channels" flush>
      <table className="w-full">
        <thead>
          <tr className="border-b border-line text-xs text-fg-3">
            <th scope="col" className="px-4 py-2 text-left font-medium">
              Channel
            </th>
            {severityNames.map((name) => (
              <th key={name} scope="col" className="w-16 py-2 text-center last:pr-3 font-medium @xs:w-24">
                {severities[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {channels.map(({ name, label, note }) => (
            <tr key={name}>
              <th scope="row" className="px-4 py-3 text-left">
                <span className="block font-medium">{label}</span>
                <span className="block text-xs font-normal wrap-anywhere text-fg-3">{note}</span>
              </th>
              {severityNames.map((severity) => (
                <td key={severity} className="text-center last:pr-3">
                  <ListTick name={name} value={severity} label={`${label}: ${severities[severity]}`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

const sourceNames = Object.keys(alertSources) as AlertSource[]

function Sources() {
  return (
    <Panel title="Alert types">
      <fieldset className="grid gap-2 @sm:grid-cols-2">
        <legend className="sr-only">Alert types</legend>
        {sourceNames.map((source) => (
          <ListTick key={source} name="muted" value={source} inverse label={alertSources[source]}>
            {alertSources[source]}
          </ListTick>
        ))}
      </fieldset>
    </Panel>
  )
}

/** One value of a list of the form, as a tick; `inverse` is ticked while the list does not have it. */
function ListTick({
  name,
  value,
  label,
  inverse = false,
  children,
}: {
  name: 'in_app' | 'mail' | 'webhook' | 'muted'
  value: string
  label: string
  inverse?: boolean
  children?: string
}) {
  return (
    <Controller
      name={name}
      render={({ field }) => {
        const list = field.value as string[]
        const has = list.includes(value)
        return (
          <Checkbox
            {...(children === undefined && { 'aria-label': label })}
            className={children === undefined ? 'align-middle' : ''}
            checked={has !== inverse}
            onBlur={field.onBlur}
            onChange={() => field.onChange(has ? list.filter((one) => one !== value) : inOrder([...list, value]))}
          >
            {children}
          </Checkbox>
        )
      }}
    />
  )
}

const order = [...severityNames, ...Object.keys(alertSources)]
/** So that a tick taken off and set again is no change. */
const inOrder = (list: string[]) => list.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))

const cooldowns = [0, 5, 15, 60, 240, 1440]
function cooldownWords(minutes: number): string {
  if (minutes === 0) return 'Every time'
  if (minutes % 60 !== 0) return `${minutes} minutes`
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`
}

function QuietHours({ zone }: { zone: string }) {
  const { setValue, control } = useFormContext<Preference>()
  const [from, daily] = useWatch({ control, name: ['quiet_from', 'daily_at'] })
  const on = from !== null
  const inOne = daily !== null
  return (
    <Panel title="Quiet hours and repeats">
      <div className="grid gap-4">
        <Checkbox
          checked={on}
          onChange={() => {
            setValue('quiet_from', on ? null : '22:00', { shouldDirty: true })
            setValue('quiet_to', on ? null : '07:00', { shouldDirty: true })
          }}
        >
          Hold e-mails during quiet hours and send them as one afterwards
        </Checkbox>
        {on && (
          <div className="grid gap-4 pl-6 @sm:grid-cols-[8rem_8rem]">
            <FormText name="quiet_from" label="From" placeholder="22:00" inputMode="numeric" />
            <FormText name="quiet_to" label="To" placeholder="07:00" inputMode="numeric" />
          </div>
        )}
        <Checkbox checked={inOne} onChange={() => setValue('daily_at', inOne ? null : '08:00', { shouldDirty: true })}>
          Send e-mails as one each day, at a time of its own
        </Checkbox>
        {inOne && (
          <div className="max-w-38 pl-6">
            <FormText name="daily_at" label="At" placeholder="08:00" inputMode="numeric" />
          </div>
        )}
        {(on || inOne) && (
          <Controller
            name="urgent"
            render={({ field }) => (
              <Checkbox checked={field.value as boolean} onBlur={field.onBlur} onChange={(event) => field.onChange(event.target.checked)}>
                Send critical alerts at once
              </Checkbox>
            )}
          />
        )}
        <div className="max-w-80">
          <FormSelect name="timezone" label="Time zone" hint="Also of the times in your e-mails." search options={timeZoneOptions(zone)} />
        </div>
        <div className="max-w-80">
          <Controller
            name="cooldown_minutes"
            render={({ field }) => (
              <Select
                label="Repeat after"
                hint="Repeats before then are only counted."
                options={[...new Set([...cooldowns, field.value as number])]
                  .sort((a, b) => a - b)
                  .map((minutes) => ({ value: String(minutes), label: cooldownWords(minutes) }))}
                value={String(field.value)}
                onChange={(minutes) => field.onChange(Number(minutes))}
              />
            )}
          />
        </div>
      </div>
    </Panel>
  )
}
