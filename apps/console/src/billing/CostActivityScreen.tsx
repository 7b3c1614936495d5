import { ledgerTypes } from '@masthead/contract/billing/ledger'
import { micros, type Currency } from '@masthead/contract/billing/money'
import { exportTransactions, getBalance, getTransaction, listTransactions } from '@masthead/contract/billing/operations'
import { getTransactionUsage } from '@masthead/contract/billing/cost-operations'
import { listDataPools } from '@masthead/contract/datapools/operations'
import { dayOf, formatMoment } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { Download, ReceiptText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { urlOf } from '../api/client.ts'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { useClock } from '../kit/clock.ts'
import { DownloadLink } from '../kit/DownloadLink.tsx'
import { DayRange } from '../kit/DayRange.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { isDay } from '../ui/calendar.ts'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { monthWords } from '../ui/month-words.ts'
import { FilterChip } from '../ui/FilterChip.tsx'
import { Cell, Frame, Stat, StatPart } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { TabPanel, Tabs } from '../ui/Tabs.tsx'
import { AmountRange } from './AmountRange.tsx'
import { BillingOff } from './BillingOff.tsx'
import { ComputedFrom } from './ComputedFrom.tsx'
import { isEntry, ledgerColumns } from './ledger-columns.tsx'
import { askedMicros, inCents, signed } from './money-words.ts'
import { PendingCharges, PendingSheet } from './PendingCharges.tsx'
import { usePendingLead } from './pending-lead.tsx'
import { TransactionSheet } from './TransactionSheet.tsx'

// Of the list as well: other days, amounts or another asset begin at its first page.
const defaults = { tab: 'entries', from: '', to: '', least: '', most: '', asset_id: '', entry: '', pending: '', page: 1, after: '' }
const tabs = [
  { id: 'entries', label: 'Entries' },
  { id: 'pending', label: 'Not settled yet' },
] as const
const dayInMs = 86_400_000
const startOf = (day: string, plus = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + plus * dayInMs).toISOString()
const byType: Filter = {
  key: 'type',
  label: 'Type',
  multiple: true,
  options: Object.entries(ledgerTypes).map(([value, label]) => ({ value, label })),
}

const differencesIn = ({ differences }: { differences: number }) =>
  differences === 0 ? 'No differences' : differences === 1 ? '1 difference' : `${differences} differences`

/** The ledger of the account. */
export default function CostActivityScreen() {
  const { data, error, refetch } = useQuery(q(getBalance, {}))
  if (error && !data) return <ErrorState title="Cost activity could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={8} />
  if (!data.balance)
    return (
      <div className="rounded-lg border border-line">
        <BillingOff />
      </div>
    )
  const { currency, balance_micros, pending_micros, month_in_micros, month_out_micros, checked } = data.balance
  const month = monthWords[new Date().getUTCMonth()]
  return (
    <div className="grid gap-4">
      <Frame className="grid-cols-1 @sm:grid-cols-2 @lg:grid-cols-4">
        <Cell>
          <Stat
            label="Settled balance"
            value={inCents(balance_micros, currency)}
            parts={
              pending_micros !== 0 && (
                <StatPart
                  label={
                    <Link className="link" to={{ search: '?tab=pending' }}>
                      used, not settled yet
                    </Link>
                  }
                >
                  <span className="text-fg-3">{signed(micros(0 - pending_micros), currency)}</span>
                </StatPart>
              )
            }
          />
        </Cell>
        <Cell>
          <Stat label={`Added in ${month}`} value={signed(month_in_micros, currency)} />
        </Cell>
        <Cell>
          <Stat
            label={`Charged in ${month}`}
            value={month_out_micros === 0 ? inCents(micros(0), currency) : signed(month_out_micros, currency)}
          />
        </Cell>
        <Cell>
          <Stat label="Checked" value={checked ? differencesIn(checked) : '—'} />
          <p className="text-xs text-fg-3">
            {checked ? `all entries and charges, ${formatMoment(checked.at)}` : 'entries and charges are compared each night'}
          </p>
        </Cell>
      </Frame>
      <Lists currency={currency} />
    </div>
  )
}

function Lists({ currency }: { currency: Currency }) {
  const [{ tab, asset_id, pending }, change] = useAddressState(defaults)
  const current = tab === 'pending' ? tab : 'entries'
  const onlyAsset = (id: string) => change({ asset_id: id, entry: '', pending: '', page: 1, after: '' })
  return (
    <div>
      <Tabs
        label="Cost activity"
        tabs={tabs}
        current={current}
        onChange={(id) => change({ tab: id, entry: '', pending: '', page: 1, after: '' }, { push: true })}
      />
      <TabPanel id={current}>
        {current === 'entries' ? (
          <Entries currency={currency} onAsset={onlyAsset} />
        ) : (
          <>
            {asset_id && (
              <div className="pb-3">
                <AssetChip id={asset_id} onRemove={() => onlyAsset('')} />
              </div>
            )}
            <PendingCharges asset_id={asset_id} currency={currency} onOpen={(id) => change({ pending: id }, { push: true })} />
            {pending && <PendingSheet id={pending} currency={currency} onAsset={onlyAsset} onClose={() => change({ pending: '' })} />}
          </>
        )}
      </TabPanel>
    </div>
  )
}

/** By type, and by data pool for whoever sees pools. */
function useLedgerFilters(): Filter[] {
  const [choosing, setChoosing] = useState(false)
  const isOn = useSearchParams()[0].has('pool_id')
  const closed = useDenied()(listDataPools) !== null
  const { data } = useQuery({ ...q(listDataPools, { query: { state: 'all', page_size: 100 } }), enabled: !closed && (choosing || isOn) })
  return useMemo(() => {
    const options = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
    const byPool = { key: 'pool_id', label: 'Data pool', options, onOpen: () => setChoosing(true) }
    return closed && !isOn ? [byType] : [byType, byPool]
  }, [data, closed, isOn])
}

function Entries({ currency, onAsset }: { currency: Currency; onAsset: (id: string) => void }) {
  const [{ from, to, least, most, asset_id, entry, pending }, change] = useAddressState(defaults)
  const [params] = useSearchParams()
  const filters = useLedgerFilters()
  const today = useClock(dayOf)
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  const query = {
    ...(isDay(first) && { start: startOf(first) }),
    ...(isDay(last) && { end: startOf(last, 1) }),
    ...(askedMicros(least) !== null && { least_micros: askedMicros(least) }),
    ...(askedMicros(most) !== null && { most_micros: askedMicros(most) }),
    ...(asset_id && { asset_id }),
  }
  const isRefined = Boolean(from || to || least || most || asset_id)
  const refine = (patch: Partial<typeof defaults>) => change({ ...patch, page: 1, after: '' })
  const open = (id: string) => change({ entry: id }, { push: true })
  const columns = useMemo(
    () => ledgerColumns(currency, (line) => change({ [isEntry(line) ? 'entry' : 'pending']: line.id }, { push: true })),
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [currency]
  )
  const pool_id = params.get('pool_id')
  const type = params.getAll('type')
  const asked = { ...query, type, ...(pool_id && { pool_id }) }
  // What is not settled is of no pool or amount yet, and of these days.
  const isOfNow = !(isDay(first) && first > today) && !(isDay(last) && last < today)
  const mayBePending = isOfNow && !least && !most && !pool_id && (type.length === 0 || type.includes('charge'))
  const lead = usePendingLead(mayBePending, asset_id)
  const isOfDays = !least && !most && !asset_id
  const allWords = isOfDays ? 'Show all days' : 'Show all'
  const noneWords =
    least || most
      ? 'No entry is of such an amount.'
      : asset_id
        ? `Nothing was charged for this asset${from || to ? ' on these days' : ''}.`
        : 'Nothing was added to the balance, and nothing was charged, on these days.'
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <DayRange from={from} to={to} today={today} onChange={refine} />
        <AmountRange least={least} most={most} currency={currency} onChange={refine} />
        {asset_id && <AssetChip id={asset_id} onRemove={() => onAsset('')} />}
      </div>
      <QueryTable
        operation={listTransactions}
        input={{ query }}
        label="Cost activity"
        columns={columns}
        rowId={({ id }) => id}
        filters={filters}
        remember="ledger"
        lead={lead}
        live
        actions={
          <DownloadLink
            className={buttonClass('ghost')}
            href={urlOf(exportTransactions, { query: asked } as never)}
            name="transactions.csv"
          >
            <Icon of={Download} className="-ml-0.5" />
            CSV
          </DownloadLink>
        }
        empty={
          isRefined ? (
            <EmptyState
              icon={ReceiptText}
              title="No data found"
              actions={<Button onClick={() => refine({ from: '', to: '', least: '', most: '', asset_id: '' })}>{allWords}</Button>}
            >
              {noneWords}
            </EmptyState>
          ) : (
            <EmptyState icon={ReceiptText} title="No data found">
              Nothing was added to the balance, and nothing was charged, yet.
            </EmptyState>
          )
        }
      />
      <p className="pt-2 text-xs text-fg-3">Entries are never changed or removed. A correction is an entry of its own.</p>
      {pending && <PendingSheet id={pending} currency={currency} onAsset={onAsset} onClose={() => change({ pending: '' })} />}
      {entry && <Entry id={entry} currency={currency} onOpen={open} onAsset={onAsset} onClose={() => change({ entry: '' })} />}
    </div>
  )
}

/** The entries are of one asset alone. Its name is that of its entries: whoever sees these need not see assets. */
function AssetChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data } = useQuery(q(listTransactions, { query: { asset_id: id, page_size: 1 } }))
  return <FilterChip label="Asset" value={data?.items[0]?.asset_name ?? id} onRemove={onRemove} />
}

type EntryProps = {
  id: string
  currency: Currency
  onOpen: (id: string) => void
  onAsset: (id: string) => void
  onClose: () => void
}

function Entry({ id, currency, onOpen, onAsset, onClose }: EntryProps) {
  const { data, error, refetch } = useQuery(q(getTransaction, { params: { transaction_id: id } }))
  if (!data && error?.status === 404)
    return (
      <Sheet open onClose={onClose} title="Entry not found">
        <p className="text-fg-2">Your account has no entry with this id. The link may be of another account.</p>
      </Sheet>
    )
  if (!data && error)
    return (
      <Sheet open onClose={onClose} title="Entry">
        <ErrorState title="The entry could not be loaded" failure={error} onRetry={() => void refetch()} />
      </Sheet>
    )
  if (!data) return null
  return (
    <TransactionSheet
      line={data}
      document={data.document}
      currency={currency}
      onOpen={onOpen}
      onAsset={onAsset}
      onClose={onClose}
      assetPath={(asset) => `/assets/${asset}`}
    >
      <ComputedFrom line={data} currency={currency} asked={q(getTransactionUsage, { params: { transaction_id: id } })} />
    </TransactionSheet>
  )
}
