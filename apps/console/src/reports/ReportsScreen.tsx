import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import {
  cancelReport,
  createSchedule,
  deleteReport,
  deleteSchedule,
  exportReport,
  listReports,
  listSchedules,
  requestReport,
  retryReport,
  updateSchedule,
} from '@masthead/contract/reports/operations'
import { canCancel, canRetry, type Report, type ReportSchedule } from '@masthead/contract/reports/report'
import { CalendarClock, Download, Ellipsis, FileText, Pause, Play, Plus, RefreshCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { urlOf } from '../api/client.ts'
import { q, useOperation } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { download } from '../kit/download.ts'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PlainTable } from '../ui/Table.tsx'
import type { Said } from '../ui/FailureNotice.tsx'
import { plain, toast } from '../ui/toast.ts'
import { RequestReportModal, ScheduleReportModal } from './ReportForm.tsx'
import { reportColumns, scheduleColumns } from './report-columns.tsx'

type Doing = { what: 'request' | 'schedule' } | { what: 'delete'; report: Report } | { what: 'unschedule'; schedule: ReportSchedule }

/** Files of usage, assets, sessions and activities: those that were asked for, and what makes them by itself. */
export default function ReportsScreen() {
  const [doing, setDoing] = useState<Doing | null>(null)
  const reportItems = useReportItems((report) => setDoing({ what: 'delete', report }))
  const close = () => setDoing(null)
  usePrefetchQuery(q(listSchedules, {}))
  const first = { icon: Plus, operation: requestReport, onClick: () => setDoing({ what: 'request' }) } as const
  return (
    <>
      <BannerEnd>
        <ActionButton icon={CalendarClock} operation={createSchedule} onClick={() => setDoing({ what: 'schedule' })}>
          Schedule report
        </ActionButton>
        <ActionButton {...first} color="primary-solid">
          Create report
        </ActionButton>
      </BannerEnd>
      <QueryTable
        operation={listReports}
        label="Reports"
        columns={reportColumns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={reportItems}
        live
        empty={
          <EmptyState icon={FileText} title="No data found" actions={<ActionButton {...first}>Create your first report</ActionButton>}>
            A report is a file with all rows of a period, made in the background and kept for 30 days.
          </EmptyState>
        }
        below={<Schedules onDelete={(schedule) => setDoing({ what: 'unschedule', schedule })} />}
      />
      {doing?.what === 'request' && <RequestReportModal onClose={close} />}
      {doing?.what === 'schedule' && <ScheduleReportModal onClose={close} />}
      {doing?.what === 'delete' && (
        <ConfirmCall
          onClose={close}
          operation={deleteReport}
          input={{ params: { report_id: doing.report.id } }}
          title={`Delete ${doing.report.name}?`}
          confirm="Delete report"
          color="danger"
          done="Deleted the report"
        >
          Its file goes with it, and links to it stop working.
        </ConfirmCall>
      )}
      {doing?.what === 'unschedule' && (
        <ConfirmCall
          onClose={close}
          operation={deleteSchedule}
          input={{ params: { schedule_id: doing.schedule.id } }}
          title={`Delete the schedule of ${doing.schedule.name}?`}
          confirm="Delete schedule"
          color="danger"
          done="Deleted the schedule"
        >
          Reports that it made stay.
        </ConfirmCall>
      )}
    </>
  )
}

function useReportItems(onDelete: (report: Report) => void) {
  const denied = useDenied()
  const cancelling = useOperation(cancelReport)
  const retrying = useOperation(retryReport)
  const said = (words: string, name: string) => ({
    onSuccess: () => toast.success(`${words} ${plain(name)}`),
    onError: (failure: Said) => toast.failure(failure),
  })
  return (report: Report): MenuItem[] => {
    const input = { params: { report_id: report.id } }
    const noFile = report.state === 'complete' ? null : 'It has no file'
    return [
      {
        label: 'Download',
        icon: Download,
        onSelect: () => void download(urlOf(exportReport, input), report.name),
        disabled: denied(exportReport) ?? noFile,
      },
      ...(canCancel(report.state)
        ? [
            {
              label: 'Cancel',
              icon: X,
              onSelect: () => cancelling.mutate(input, said('Cancelled', report.name)),
              disabled: denied(cancelReport),
            },
          ]
        : []),
      ...(canRetry(report.state)
        ? [
            {
              label: 'Run again',
              icon: RefreshCw,
              onSelect: () => retrying.mutate(input, said('Again:', report.name)),
              disabled: denied(retryReport),
            },
          ]
        : []),
      { label: 'Delete', icon: Trash2, danger: true, onSelect: () => onDelete(report), disabled: denied(deleteReport) },
    ]
  }
}

function Schedules({ onDelete }: { onDelete: (schedule: ReportSchedule) => void }) {
  const { data, error } = useQuery(q(listSchedules, {}))
  const denied = useDenied()
  const updating = useOperation(updateSchedule)
  const items = (schedule: ReportSchedule): MenuItem[] => {
    const active = schedule.state !== 'active'
    const set = () =>
      updating.mutate(
        { params: { schedule_id: schedule.id }, body: { active } },
        {
          onSuccess: () => toast.success(`${active ? 'Resumed' : 'Paused'} ${plain(schedule.name)}`),
          onError: (failure) => toast.failure(failure),
        }
      )
    return [
      { label: active ? 'Resume' : 'Pause', icon: active ? Play : Pause, onSelect: set, disabled: denied(updateSchedule) },
      { label: 'Delete', icon: Trash2, danger: true, onSelect: () => onDelete(schedule), disabled: denied(deleteSchedule) },
    ]
  }
  return (
    <Panel title="Scheduled" flush className="mt-4">
      {error ? (
        <FailureNotice of={error} />
      ) : (
        <PlainTable
          label="Scheduled reports"
          columns={scheduleColumns}
          rows={data?.items}
          rowId={({ id }) => id}
          skeletonRows={2}
          empty={<EmptyState title="No data found">A schedule makes the same report again each day, week or month.</EmptyState>}
          more={(schedule) => (
            <Menu
              label={`Actions for ${schedule.name}`}
              align="end"
              items={items(schedule)}
              trigger={<IconButton icon={Ellipsis} size="small" label={`Actions for ${schedule.name}`} />}
            />
          )}
        />
      )}
    </Panel>
  )
}
