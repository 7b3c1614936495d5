import { micros, formatMoney, type Currency } from '@masthead/contract/billing/money'
import type { LedgerTransaction } from '@masthead/contract/billing/ledger'
import type { getTransactionUsage } from '@masthead/contract/billing/cost-operations'
import type { ChargedDay, ChargedRecord, TransactionUsage } from '@masthead/contract/billing/transaction-usage'
import { formatDay, formatExactHere } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { q } from '../api/query.ts'
import { Bytes } from '../kit/Bytes.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'
import { countingWords } from './pricing/price-words.ts'

type ComputedProps = { line: Pick<LedgerTransaction, 'sub_type' | 'amount_micros'>; currency: Currency }
/** `asked`: of whoever reads it, as the account or as staff. */
type ComputedFromProps = ComputedProps & { line: LedgerTransaction; asked: ReturnType<typeof q<typeof getTransactionUsage>> }

/** How an entry of usage was computed: what it is of, price, rounding and formula, and the records. */
export const ComputedFrom = (props: ComputedFromProps) =>
  props.line.source === 'usage' && props.line.unit === 'byte' ? <Asked key={props.line.id} {...props} /> : null

function Asked({ line, currency, asked }: ComputedFromProps) {
  const { data, error, refetch } = useQuery(asked)
  if (!data && error?.status === 404)
    return <p className="text-fg-2">From which records this was computed is shown to whoever sees its asset.</p>
  if (!data && error) return <ErrorState title="The records could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={6} />
  return <Computed usage={data} line={line} currency={currency} />
}

const bytesInFull = (bytes: number) => `${bytes.toLocaleString('en')} B`

/** `isPending`: it is not in the ledger yet. */
export function Computed({ usage, line, currency, isPending = false }: ComputedProps & { usage: TransactionUsage; isPending?: boolean }) {
  const { price_micros, kb, block_bytes, rounding_scope, days, records, total, records_since } = usage
  const columns = useMemo(() => dayColumns(currency), [currency])
  const sum = (of: (day: ChargedDay) => number) => days.reduce((all, day) => all + of(day), 0)
  const exact = (amount: number) => formatMoney(micros(amount), currency)
  const [counted, billed] = [sum(({ bytes }) => bytes), sum(({ billed_bytes }) => billed_bytes)]
  const [charged, settled] = [sum(({ charged_micros }) => charged_micros), sum(({ settled_micros }) => settled_micros)]
  return (
    <>
      <Panel title="How it was computed" flush className="overflow-clip">
        <PlainTable label="What was charged" columns={columns} rows={days} rowId={({ day, network }) => `${day} ${network.mccmnc}`} />
        <div className="border-t border-line px-4 py-1">
          <Facts>
            <Fact label="Rounding">
              {countingWords({ block_bytes, rounding_scope, kb })}
              {billed > counted && ` That added ${bytesInFull(billed - counted)}.`}
            </Fact>
            <Fact label="Formula">
              <span className="tabular-nums">
                {bytesInFull(billed)} ÷ {kb.toLocaleString('en')}² × {exact(price_micros)} = {exact(charged)}
              </span>
            </Fact>
            {isPending && settled !== 0 && <Fact label="In steps">Of that {exact(settled)} is in the ledger already.</Fact>}
            {!isPending && (settled !== 0 - line.amount_micros || charged !== settled) && (
              <Fact label="In steps">
                It was charged while it was used: this entry has {exact(Math.abs(line.amount_micros))}, and all entries of it together{' '}
                {exact(settled)}.{charged !== settled && ` What is not in the ledger yet is ${exact(charged - settled)}.`}
              </Fact>
            )}
          </Facts>
        </div>
      </Panel>
      <Panel title="Records" note={recordsNote(usage, line)} flush className="overflow-clip">
        <PlainTable
          label="Records"
          columns={recordColumns}
          rows={records}
          rowId={({ event_at, session_id }) => `${session_id} ${event_at}`}
          empty={
            <EmptyState title="No data found">
              {records_since ? 'The records of this time are not kept any more.' : 'It was charged without a record, as a correction is.'}
            </EmptyState>
          }
        />
        {total > records.length && (
          <p className="border-t border-line px-4 py-2 text-xs text-fg-3">
            The first {records.length.toLocaleString('en')} of {total.toLocaleString('en')}. All of them are in a report of records.
          </p>
        )}
      </Panel>
    </>
  )
}

function recordsNote({ records, records_since }: TransactionUsage, line: ComputedProps['line']): string {
  if (records.length > 0 && records_since) return `those since ${formatExactHere(records_since)} are kept`
  const pooled = line.sub_type === 'overage' ? '; a data pool gave the rest of them' : ''
  return `what the gateway reported until this entry; one that passes midnight (UTC) is part of both days${pooled}`
}

const placeOf = ({ mccmnc, name }: ChargedDay['network']) => (
  <TwoLines first={<span className="truncate">{name ?? (mccmnc || 'Unknown network')}</span>} second={name ? mccmnc : null} />
)

const dayColumns = (currency: Currency): Column<ChargedDay>[] => [
  { id: 'day', header: 'Day', width: 130, list: 'title', cell: ({ day }) => <span className="font-medium">{formatDay(day)}</span> },
  { id: 'network', header: 'Network', list: 'below', shape: 'two', cell: ({ network }) => placeOf(network) },
  { id: 'bytes', header: 'Counted', width: 150, numeric: true, list: 'below', listHead: true, cell: ({ bytes }) => bytesInFull(bytes) },
  {
    id: 'billed',
    header: 'Billed',
    width: 150,
    numeric: true,
    list: 'below',
    listHead: true,
    cell: ({ billed_bytes }) => bytesInFull(billed_bytes),
  },
  {
    id: 'charged',
    header: 'Charged',
    width: 120,
    numeric: true,
    list: 'aside',
    cell: ({ charged_micros }) => formatMoney(charged_micros, currency),
  },
]

const recordColumns: Column<ChargedRecord>[] = [
  {
    id: 'at',
    header: 'Reported for',
    width: 240,
    list: 'title',
    cell: ({ event_at }) => <span className="tabular-nums">{formatExactHere(event_at)}</span>,
  },
  { id: 'network', header: 'Network', list: 'below', shape: 'two', cell: ({ network }) => placeOf(network) },
  { id: 'up', header: 'Up', width: 100, numeric: true, list: 'below', listHead: true, cell: ({ bytes_up }) => <Bytes of={bytes_up} /> },
  {
    id: 'down',
    header: 'Down',
    width: 100,
    numeric: true,
    list: 'below',
    listHead: true,
    cell: ({ bytes_down }) => <Bytes of={bytes_down} />,
  },
  {
    id: 'bytes',
    header: 'Together',
    width: 130,
    numeric: true,
    list: 'aside',
    cell: ({ bytes_up, bytes_down }) => bytesInFull(bytes_up + bytes_down),
  },
]
