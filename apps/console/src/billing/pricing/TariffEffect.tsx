import {
  getTariffEffect,
  previewTariffVersion,
  type TariffEffect as Effect,
  type TariffWithVersions,
} from '@masthead/contract/backoffice/tariff-operations'
import { micros } from '@masthead/contract/billing/money'
import type { TariffTerms } from '@masthead/contract/billing/tariff'
import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { Link } from 'react-router'
import { q, useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { inCents, signed } from '../money-words.ts'

type Item = Effect['items'][number]

const columnsOf = (currency: Effect['currency']): Column<Item>[] => [
  {
    id: 'account',
    header: 'Account',
    list: 'title',
    shape: 'two',
    cell: ({ email, team_name }) => (
      <TwoLines first={<Link to={`/masa/accounts/${encodeURIComponent(email)}?tab=money`}>{team_name}</Link>} second={email} />
    ),
  },
  { id: 'charged', header: 'Charged', width: 110, numeric: true, list: 'below', cell: (row) => inCents(row.charged_micros, currency) },
  { id: 'would', header: 'By this version', width: 130, numeric: true, list: 'aside', cell: (row) => inCents(row.would_micros, currency) },
  {
    id: 'change',
    header: 'Change',
    width: 110,
    numeric: true,
    list: 'below',
    cell: ({ charged_micros, would_micros }) =>
      would_micros === charged_micros ? '—' : signed(micros(would_micros - charged_micros), currency),
  },
]

const monthName = (month: string) => new Date(month).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** What a version would have made of the last whole month, for each account that will pay by it. */
export function TariffEffect({ tariff, number, onClose }: { tariff: TariffWithVersions; number: number; onClose: () => void }) {
  const { data, error, refetch } = useQuery(q(getTariffEffect, { params: { tariff_id: tariff.id }, query: { number } }))
  return (
    <Sheet open onClose={onClose} title={`Effect of version ${number}`} note={tariff.name}>
      {error && !data ? (
        <ErrorState title="The effect could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <EffectTable currency={tariff.currency} effect={data} />
      )}
    </Sheet>
  )
}

const EffectTable = ({ currency, effect }: { currency: Effect['currency']; effect: Effect | undefined }) => (
  <>
    <PlainTable
      label="Effect"
      columns={columnsOf(currency)}
      rows={effect?.items}
      skeletonRows={3}
      rowId={({ email }) => email}
      empty={<EmptyState title="No data found">No account pays by this price list.</EmptyState>}
    />
    {effect && effect.items.length > 0 && <p className="px-4 py-2 text-xs text-fg-2">{effectWords(effect)}</p>}
  </>
)

/** The same of a version that is typed in the form around it, as often as somebody asks. */
export function TypedEffect({ tariff }: { tariff: TariffWithVersions }) {
  const { getValues } = useFormContext<TariffTerms>()
  const preview = useOperation(previewTariffVersion)
  return (
    <section aria-label="Effect" className="grid gap-3">
      <ActionButton
        operation={previewTariffVersion}
        className="justify-self-start"
        loading={preview.isPending}
        onClick={() => preview.mutate({ params: { tariff_id: tariff.id }, body: getValues() })}
      >
        Show the effect on accounts
      </ActionButton>
      <div role="status">
        {preview.error && <FailureNotice of={preview.error} />}
        {preview.data && <EffectTable currency={tariff.currency} effect={preview.data} />}
      </div>
    </section>
  )
}

function effectWords({ month, currency, accounts, charged_micros, would_micros, items }: Effect): string {
  const all = `${monthName(month)} cost ${accounts === 1 ? 'one account' : `${accounts.toLocaleString('en')} accounts`} ${inCents(charged_micros, currency)}, and would have cost ${inCents(would_micros, currency)} by this version.`
  const some = items.length < accounts ? ` The ${items.length} for whom most would change are shown.` : ''
  return `${all}${some} Data and SIM fees before tax, data as it was billed then, with the prices agreed with each account.`
}
