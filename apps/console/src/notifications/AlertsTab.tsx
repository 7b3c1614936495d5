import { alertSources, alertStates, severities, type Alert, type AlertSource, type Severity } from '@masthead/contract/notifications/alert'
import { acknowledgeAlerts, getSummary, listAlerts, readAlerts } from '@masthead/contract/notifications/operations'
import { useQuery } from '@tanstack/react-query'
import { BellOff, Check, MailCheck, MailOpen } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { q, useOperation } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import type { BulkAction } from '../kit/selection.tsx'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { Said } from '../ui/FailureNotice.tsx'
import { toast } from '../ui/toast.ts'
import { AcknowledgeAll } from './AcknowledgeAll.tsx'
import { acknowledgedWords, alertColumns } from './alert-columns.tsx'
import { AlertSheet } from './AlertSheet.tsx'

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const filters: Filter[] = [
  { key: 'state', label: 'State', options: options(alertStates), multiple: true },
  { key: 'severity', label: 'Severity', options: options(severities), multiple: true },
  { key: 'source', label: 'Source', options: options(alertSources), multiple: true },
  { key: 'unread', label: 'Unread', options: [{ value: 'true', label: 'yes' }] },
  { key: 'own', label: 'About what you did', options: [{ value: 'true', label: 'yes' }] },
]
/** What is urgent first. What one did oneself is nothing to be alarmed by: it is shown when asked for. */
const listed = { query: { sort: 'urgency', own: 'false' } }

/** What somebody should look at on this account. */
export function AlertsTab() {
  const [params, setParams] = useSearchParams()
  const { acknowledge, markRead } = useAlertActions()
  const denied = useDenied()(acknowledgeAlerts)
  const { data: summary } = useQuery(q(getSummary, {}))
  const noneOpen = summary && Object.values(summary.open).every((count) => count === 0)
  const shown = {
    ...(params.has('severity') && { severity: params.getAll('severity') as Severity[] }),
    ...(params.has('source') && { source: params.getAll('source') as AlertSource[] }),
    ...(params.get('unread') === 'true' && { unread: 'true' as const }),
    own: params.get('own') === 'true' ? ('true' as const) : ('false' as const),
  }
  const noneShown = params.has('state') && !params.getAll('state').includes('open')
  const opened = params.get('alert')
  const addressOf = (alert: string | null) => {
    const next = new URLSearchParams(params)
    if (alert) next.set('alert', alert)
    else next.delete('alert')
    return next
  }
  const bulkActions: BulkAction<Alert>[] = [
    {
      label: 'Acknowledge',
      icon: Check,
      disabled: (rows) => denied ?? (rows.some(isOpen) ? null : 'None of them is open'),
      onSelect: (rows, done) => acknowledge(rows.filter(isOpen), done),
    },
    { label: 'Mark as read', icon: MailOpen, onSelect: (rows, done) => markRead(rows, done) },
  ]
  return (
    <>
      <QueryTable
        operation={listAlerts}
        input={listed}
        label="Alerts"
        columns={alertColumns}
        rowId={({ id }) => id}
        rowName={({ title }) => title}
        rowHref={({ id }) => `/notifications?${addressOf(id).toString()}`}
        rowActions={(alert) => [
          {
            label: 'Acknowledge',
            icon: Check,
            disabled: denied ?? (isOpen(alert) ? null : 'It is not open'),
            onSelect: () => acknowledge([alert]),
          },
          alert.read
            ? { label: 'Mark as unread', icon: MailCheck, onSelect: () => markRead([alert], undefined, false) }
            : { label: 'Mark as read', icon: MailOpen, onSelect: () => markRead([alert]) },
        ]}
        bulkActions={bulkActions}
        filters={filters}
        live
        actions={(seen) => (
          <>
            <IconButton
              label="Mark all as read"
              icon={MailOpen}
              disabled={summary?.unread === 0 ? 'All of them are read' : seen ? null : 'The alerts are not here yet'}
              // What came since is not meant by "all".
              onClick={() => markRead(seen?.at)}
            />
            <AcknowledgeAll matching={shown} disabled={noneShown || (noneOpen && shown.own === 'false') ? 'None of them is open' : null} />
          </>
        )}
        empty={
          <EmptyState icon={BellOff} title="No data found">
            Blocked SIMs, failing webhooks, support staff on your account: whatever needs attention appears here.
          </EmptyState>
        }
      />
      {opened && <AlertSheet id={opened} onClose={() => setParams(addressOf(null), { preventScrollReset: true })} />}
    </>
  )
}

const isOpen = ({ state }: Alert) => state === 'open'

/** Acknowledging and reading, of some or of all until a moment, by the clock of the server. */
function useAlertActions() {
  const acknowledging = useOperation(acknowledgeAlerts)
  const reading = useOperation(readAlerts)
  const failed = (failure: Said) => toast.failure(failure)
  return {
    acknowledge: (alerts: readonly Alert[], done?: () => void) =>
      acknowledging.mutate(
        { body: { alert_ids: alerts.map(({ id }) => id) } },
        {
          onSuccess: ({ acknowledged }) => {
            toast.success(acknowledgedWords(acknowledged))
            done?.()
          },
          onError: failed,
        }
      ),
    markRead: (alerts: readonly Alert[] | string | undefined, done?: () => void, read = true) =>
      reading.mutate(
        {
          body: {
            ...(typeof alerts === 'object' ? { alert_ids: alerts.map(({ id }) => id) } : alerts !== undefined && { until: alerts }),
            read,
          },
        },
        { onSuccess: () => done?.(), onError: failed }
      ),
  }
}
