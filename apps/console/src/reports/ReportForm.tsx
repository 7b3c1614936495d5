import { createSchedule, requestReport } from '@masthead/contract/reports/operations'
import { ReportFormat, ReportKind, reportKinds } from '@masthead/contract/reports/report'
import { Controller, useWatch } from 'react-hook-form'
import { mayUser } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { FormNumber, FormText } from '../kit/FormField.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { FormLines } from '../kit/FormLines.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { DateField } from '../ui/DateField.tsx'
import { plain, toast } from '../ui/toast.ts'
import { everyWords, formatNames } from './report-words.ts'

const today = () => new Date().toISOString().slice(0, 10)
const formats = ReportFormat.options.map((value) => ({ value, label: formatNames[value] }))
const intervals = (['day', 'week', 'month'] as const).map((value) => ({ value, label: everyWords[value] }))

function KindFields() {
  const user = useSession((session) => session.user)
  const kinds = ReportKind.options.map((value) => {
    const lacks = reportKinds[value].needs.filter((name) => !mayUser(user, name))
    return {
      value,
      label: reportKinds[value].label,
      note: lacks.length > 0 ? `Needs ${lacks.join(', ')}` : reportKinds[value].words,
      disabled: lacks.length > 0,
    }
  })
  return (
    <>
      <FormSelect name="kind" label="Report" options={kinds} />
      <FormText name="name" label="Name" hint="Its kind, unless you name it" emptyIsNone />
      <FormSelect name="format" label="Format" options={formats} />
    </>
  )
}

function LaterFields() {
  const kind = useWatch({ name: 'kind' }) as ReportKind
  return (
    <>
      {reportKinds[kind].ofAssets && (
        <FormText
          name="q"
          label="Only assets that match"
          placeholder="tag:field status:active"
          mono
          hint="A line as in the list of assets"
          emptyIsNone
        />
      )}
      <FormLines
        name="recipients"
        label="Mail a link to"
        placeholder="finance@example.com"
        hint="One address a line. A link works for seven days"
      />
    </>
  )
}

function Day({ name, label }: { name: 'start' | 'end'; label: string }) {
  return (
    <Controller
      name={name}
      render={({ field, fieldState }) => (
        <DateField
          label={label}
          value={field.value as string}
          max={today()}
          today={today()}
          onChange={field.onChange}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

function HourField() {
  const { hasPeriod } = reportKinds[useWatch({ name: 'kind' }) as ReportKind]
  const what = hasPeriod ? 'each is of the period before' : 'each shows how things are then'
  return <FormNumber name="hour" label="At which hour" min={0} max={23} hint={`In the account’s time zone; ${what}`} />
}

function PeriodFields() {
  const kind = useWatch({ name: 'kind' }) as ReportKind
  if (!reportKinds[kind].hasPeriod) return <p className="text-fg-2">It shows how things are when it is made.</p>
  return (
    <div className="grid gap-4 @sm:grid-cols-2">
      <Day name="start" label="From" />
      <Day name="end" label="To" />
    </div>
  )
}

/** A kind without days or assets is not sent any: fields that are not shown keep what was in them. */
const asBody = ({ q, ...rest }: Record<string, unknown>): never => {
  const { ofAssets, hasPeriod } = reportKinds[rest.kind as ReportKind]
  const { start, end, ...others } = rest
  return {
    ...others,
    ...(hasPeriod && start ? { start } : {}),
    ...(hasPeriod && end ? { end } : {}),
    ...(ofAssets && q ? { q } : {}),
  } as never
}

const once = { kind: 'inventory', format: 'csv', recipients: [] }

/** Has a report made now. */
export const RequestReportModal = ({ onClose }: { onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Create report"
    operation={requestReport}
    values={{ ...once, start: `${today().slice(0, 7)}-01`, end: today() } as never}
    input={(body) => ({ body: asBody(body) })}
    submit="Create report"
    onDone={({ name }) => toast.success(`Report ${plain(name)} is being made`)}
  >
    <KindFields />
    <PeriodFields />
    <LaterFields />
  </FormModal>
)

/** Has a report made each day, week or month. */
export const ScheduleReportModal = ({ onClose }: { onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Schedule report"
    operation={createSchedule}
    values={{ ...once, every: 'month', hour: 6 } as never}
    input={(body) => ({ body: asBody(body) })}
    submit="Schedule report"
    onDone={({ name }) => toast.success(`Scheduled ${plain(name)}`)}
  >
    <KindFields />
    <FormSelect name="every" label="Runs" options={intervals} />
    <HourField />
    <LaterFields />
  </FormModal>
)
