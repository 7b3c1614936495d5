import { useQuery } from '@tanstack/react-query'
import {
  closeAccount,
  getExportLines,
  getClosing,
  graceDays,
  reopenAccount,
  startExport,
  type AccountExport,
} from '@masthead/contract/account/closing-operations'
import { getSecurity } from '@masthead/contract/account/security-operations'
import { formatDayHere } from '@masthead/contract/kernel/time'
import { useState } from 'react'
import { urlOf } from '../api/client.ts'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { DownloadLink } from '../kit/DownloadLink.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'
import { toast } from '../ui/toast.ts'
import { noProof, ProofFields } from './ProofFields.tsx'

type Asking = 'export' | 'close' | 'reopen' | null

/** Everything of one's own account as a file, and the end of the account. */
export function ClosingPanel() {
  const { data, error, refetch } = useQuery(q(getClosing, {}))
  const { data: security } = useQuery(q(getSecurity, {}))
  const email = useSession(({ user }) => user?.email ?? '')
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => setAsking(null)
  const making = data?.exports.some(({ state }) => state === 'making') ?? false
  return (
    <Panel
      title="Your data"
      note="as a file"
      flush
      end={
        <ActionButton
          operation={startExport}
          size="small"
          disabled={making ? 'An export is being made' : !security}
          onClick={() => setAsking('export')}
        >
          Export everything
        </ActionButton>
      }
    >
      {error && !data ? (
        <ErrorState title="Your exports could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <PlainTable
          label="Exports"
          columns={columns}
          rows={data?.exports}
          skeletonRows={1}
          rowId={(row) => row.id}
          empty={<EmptyState title="No data found">You have not asked for an export yet.</EmptyState>}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line p-4">
        <p className="min-w-0 flex-1 basis-64 text-fg-2 text-pretty">
          {data?.erase_at ? (
            <>
              <b className="font-medium text-fg">The account is closed.</b> You can reopen it until {formatDayHere(data.erase_at)}. Then it
              is removed.
            </>
          ) : (
            <>
              <b className="font-medium text-fg">Close the account</b> when nobody needs it any more. You can reopen it for {graceDays}{' '}
              days.
            </>
          )}
        </p>
        {data?.erase_at ? (
          <ActionButton operation={reopenAccount} size="small" color="success" disabled={!security} onClick={() => setAsking('reopen')}>
            Reopen the account
          </ActionButton>
        ) : (
          <ActionButton operation={closeAccount} size="small" color="danger-quiet" disabled={!security} onClick={() => setAsking('close')}>
            Close the account
          </ActionButton>
        )}
      </div>
      {security && (
        <>
          <FormModal
            open={asking === 'export'}
            onClose={close}
            title="Export everything?"
            operation={startExport}
            values={noProof}
            submit="Export"
            onDone={() => toast.success('The export is being made. It appears here when it is ready')}
          >
            <p className="text-fg-2 text-pretty">
              One file with a line of JSON for each asset, SIM, session, hour of usage and activity of this account. Passwords and keys are
              not in it. You can download it for three days.
            </p>
            <ProofFields security={security} focus />
          </FormModal>
          <FormModal
            open={asking === 'close'}
            onClose={close}
            title="Close the account?"
            operation={closeAccount}
            values={{ ...noProof, confirmation: '' }}
            submit="Close the account"
            color="danger"
            onDone={() => toast.success('The account is closed')}
          >
            <ul className="grid list-disc gap-1 pl-5 text-fg-2">
              <li>At once no SIM has service, and open sessions are cut.</li>
              <li>Members lose access. Invitations, API keys and webhooks stop working, and reopening does not restore them.</li>
              <li>
                You are signed out everywhere else. You can still sign in, export everything, and reopen the account for {graceDays} days.
              </li>
              <li>
                Then assets, SIMs, sessions, activities and your sign-in are removed, and the SIMs go back to whoever runs this
                installation. Amounts of usage and the staff log are kept.
              </li>
            </ul>
            <FormText name="confirmation" label={`Type ${email} to confirm`} autoComplete="off" />
            <ProofFields security={security} />
          </FormModal>
          <FormModal
            open={asking === 'reopen'}
            onClose={close}
            title="Reopen the account?"
            operation={reopenAccount}
            values={noProof}
            submit="Reopen"
            color="success"
            onDone={() => toast.success('The account is open again')}
          >
            <p className="text-fg-2 text-pretty">
              SIMs have service again. Invite members anew, and switch API keys and webhooks on one by one.
            </p>
            <ProofFields security={security} focus />
          </FormModal>
        </>
      )}
    </Panel>
  )
}

const states: Record<AccountExport['state'], string> = { making: 'Being made', ready: 'Ready', failed: 'Failed', expired: 'Expired' }

const columns: readonly Column<AccountExport>[] = [
  {
    id: 'asked_at',
    header: 'Asked for',
    list: 'title',
    cell: ({ asked_at, rows, state }) => (
      <TwoLines
        first={<RelativeTime at={asked_at} />}
        second={state === 'making' ? 'Rows are gathered' : rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`}
      />
    ),
  },
  { id: 'state', header: 'State', width: 120, list: 'aside', cell: ({ state }) => states[state] },
  {
    id: 'file',
    header: 'File',
    width: 160,
    list: 'below',
    cell: ({ id, state }) =>
      state === 'ready' ? (
        <DownloadLink
          className={buttonClass('secondary', 'small')}
          href={urlOf(getExportLines, { params: { export_id: id } })}
          name={`masthead-${id}.ndjson`}
        >
          Download
        </DownloadLink>
      ) : (
        '—'
      ),
  },
]
