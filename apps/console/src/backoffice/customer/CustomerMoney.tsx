import type { CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import {
  checkLedger,
  getCustomerTransactionUsage,
  getMoney,
  giveCredit,
  listCustomerTransactions,
  switchBillingOn,
  type LedgerCheck,
  type LedgerProof,
} from '@masthead/contract/backoffice/money-operations'
import { ledgerTypes, type Balance, type LedgerTransaction } from '@masthead/contract/billing/ledger'
import { billingCurrencies, micros } from '@masthead/contract/billing/money'
import { formatDay } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { Plus, RefreshCw, Wallet } from 'lucide-react'
import { useId, useMemo, useState, type ReactNode } from 'react'
import { call } from '../../api/client.ts'
import { q, queries } from '../../api/query.ts'
import { ComputedFrom, inCents, ledgerColumns, TransactionSheet } from '../../billing/index.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import type { Filter } from '../../kit/filters.ts'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Cell, Frame, Panel, Stat, StatPart } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { ReasonModal } from '../ReasonModal.tsx'
import { AtZero, TaxOfCustomer } from './AtZero.tsx'
import { CorrectEntry } from './CorrectEntry.tsx'
import { CustomerDocuments } from './CustomerDocuments.tsx'
import { GiveCredit } from './GiveCredit.tsx'
import { Payments } from './Payments.tsx'
import { PriceLists } from './PriceLists.tsx'
import { useRefusal } from './use-refusal.ts'

const filters: Filter[] = [
  { key: 'type', label: 'Type', multiple: true, options: Object.entries(ledgerTypes).map(([value, label]) => ({ value, label })) },
]

/** What a customer has, and what staff may do about it. */
export function CustomerMoney({ customer }: { customer: CustomerDetails }) {
  const params = { email: customer.email }
  const { data, error, refetch } = useQuery({
    ...q(getMoney, { params }),
    refetchInterval: ({ state }) => askedAgain(state.data?.check ?? null),
  })
  const refused = useRefusal(customer)
  const [giving, setGiving] = useState(false)
  const [open, setOpen] = useState<string | null>(null)
  const currency = data?.balance?.currency
  const columns = useMemo(() => (currency ? ledgerColumns(currency, ({ id }) => setOpen(id)) : []), [currency])
  if (error && !data) return <ErrorState title="The money could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={8} />
  if (!data.balance || !currency) return <SwitchOn customer={customer} refused={refused} />
  const { balance, paid_in_micros, given_micros } = data
  return (
    <div className="grid gap-4">
      <Proof proof={data.proof} check={data.check} />
      <Figures balance={balance} paid_in={paid_in_micros} given={given_micros} />
      <div className="grid items-start gap-4 @lg:grid-cols-3">
        <PriceLists email={customer.email} currency={currency} />
        <AtZero email={customer.email} at_zero={balance.at_zero} refused={refused} />
        <TaxOfCustomer email={customer.email} tax={balance.tax} refused={refused} />
      </div>
      <Named title="Entries">
        <QueryTable
          operation={listCustomerTransactions}
          input={{ params }}
          label="Entries"
          columns={columns}
          rowId={({ id }) => id}
          filters={filters}
          prefix="led_"
          live
          actions={
            <ActionButton operation={giveCredit} disabled={refused} icon={Plus} onClick={() => setGiving(true)}>
              Give credit
            </ActionButton>
          }
          empty={<EmptyState title="No data found">Nothing was posted yet.</EmptyState>}
        />
        <p className="text-xs text-fg-3">
          Nothing here can be edited; the database refuses it. A correction is a new entry that the customer sees, with your reason.
        </p>
      </Named>
      <Named title="Payments">
        <Payments email={customer.email} />
      </Named>
      <Named title="Invoices and receipts">
        <CustomerDocuments email={customer.email} />
      </Named>
      {giving && <GiveCredit email={customer.email} currency={currency} onClose={() => setGiving(false)} />}
      {open && <Entry id={open} customer={customer} currency={currency} refused={refused} onOpen={setOpen} />}
    </div>
  )
}

/** One of several lists on a screen. */
function Named({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-2 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** An entry that the list has shown. */
function Entry({
  id,
  customer,
  currency,
  refused,
  onOpen,
}: {
  id: string
  customer: CustomerDetails
  currency: Balance['currency']
  refused: string | null
  onOpen: (id: string | null) => void
}) {
  const lines = queries
    .getQueriesData<{ items?: LedgerTransaction[] }>({ queryKey: ['backoffice', listCustomerTransactions.name] })
    .flatMap(([, page]) => page?.items ?? [])
  const line = lines.findLast((each) => each.id === id)
  if (!line) return null
  return (
    <TransactionSheet
      line={line}
      currency={currency}
      onClose={() => onOpen(null)}
      onOpen={onOpen}
      assetPath={(asset) => `/masa/assets/${asset}`}
    >
      <ComputedFrom
        line={line}
        currency={currency}
        asked={q(getCustomerTransactionUsage, { params: { email: customer.email, any_transaction_id: line.id } })}
      />
      <CorrectEntry email={customer.email} line={line} currency={currency} refused={refused} onDone={() => onOpen(null)} />
    </TransactionSheet>
  )
}

const Figures = ({ balance, paid_in, given }: { balance: Balance; paid_in: number; given: number }) => (
  <Frame className="grid-cols-1 @sm:grid-cols-2 @lg:grid-cols-4">
    <Cell>
      <Stat
        label="Balance"
        value={inCents(balance.available_micros, balance.currency)}
        parts={
          <>
            <StatPart label="settled">{inCents(balance.balance_micros, balance.currency)}</StatPart>
            <StatPart label="pending">{inCents(micros(0 - balance.pending_micros), balance.currency)}</StatPart>
          </>
        }
      />
    </Cell>
    <Cell>
      <Stat label="Of it bought" value={inCents(balance.purchased_micros, balance.currency)} />
    </Cell>
    <Cell>
      <Stat label="Paid in, all time" value={inCents(micros(paid_in), balance.currency)} />
    </Cell>
    <Cell>
      <Stat label={`Given by staff since ${formatDay(balance.enabled_at)}`} value={inCents(micros(given), balance.currency)} />
    </Cell>
  </Frame>
)

/** So many differences, each of another account first. */
const shown = 5
const goesOn = (check: LedgerCheck | null) => check !== null && check.state !== 'failed'
/** In so many milliseconds: of large books a comparison takes minutes. */
const askedAgain = (check: LedgerCheck | null) =>
  check !== null && goesOn(check) && (Date.now() - Date.parse(check.since) < 60_000 ? 2000 : 15_000)

function Check({ state, since }: LedgerCheck) {
  const at = <RelativeTime at={since} />
  if (state === 'failed')
    return <p className="mt-2 text-bad-fg">The comparison that was asked for failed {at}. The log of the server says why.</p>
  return (
    <p className="mt-2 text-fg-2">
      {state === 'running' ? <>A comparison is running. It began {at}.</> : <>A comparison was asked for {at} and waits for its turn.</>}
    </p>
  )
}

function Proof({ proof, check }: { proof: LedgerProof | null; check: LedgerCheck | null }) {
  const [asking, setAsking] = useState(false)
  const ask = async () => {
    setAsking(true)
    const result = await call(checkLedger, {})
    setAsking(false)
    if (!result.ok) return toast.failure(result.failure)
    await queries.invalidateQueries({ queryKey: ['backoffice', getMoney.name] })
  }
  const agrees = proof?.found === 0
  return (
    <Panel
      title="Proof of the ledger"
      note={
        proof && (
          <Badge tone={agrees ? 'ok' : 'bad'} shape={agrees ? 'done' : 'broken'}>
            {agrees ? 'Holds' : 'Differs'}
          </Badge>
        )
      }
      end={
        <ActionButton operation={checkLedger} size="small" icon={RefreshCw} loading={asking || goesOn(check)} onClick={() => void ask()}>
          Check now
        </ActionButton>
      }
    >
      {!proof ? (
        <p className="text-fg-2">Not checked yet. A job compares all books each night at 02:00 UTC.</p>
      ) : (
        <p className="text-fg-2">
          {proof.transactions.toLocaleString('en')} entries of {proof.accounts.toLocaleString('en')}{' '}
          {proof.accounts === 1 ? 'account' : 'accounts'} compared <RelativeTime at={proof.ended_at} />:{' '}
          {agrees
            ? 'all add up to nothing, every balance is their sum, and every charge is what its records cost by its price list.'
            : `${proof.found.toLocaleString('en')} ${proof.found === 1 ? 'difference' : 'differences'}.`}
        </p>
      )}
      {proof && !agrees && (
        <ul className="mt-2 list-disc pl-5 text-bad-fg">
          {proof.differences.slice(0, shown).map(({ account_id, words }) => (
            <li key={account_id + words}>
              {words} (<span className="mono">{account_id}</span>)
            </li>
          ))}
          {proof.found > shown && (
            <li>{(proof.found - shown).toLocaleString('en')} more. The command “ledger prove” lists the first of each account.</li>
          )}
        </ul>
      )}
      {check && <Check {...check} />}
    </Panel>
  )
}

function SwitchOn({ customer, refused }: { customer: CustomerDetails; refused: string | null }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <EmptyState
        icon={Wallet}
        title="Billing is not switched on"
        actions={
          <ActionButton operation={switchBillingOn} disabled={refused} onClick={() => setAsking(true)}>
            Switch billing on
          </ActionButton>
        }
      >
        Nothing is charged on this account.
      </EmptyState>
      <ReasonModal
        open={asking}
        onClose={() => setAsking(false)}
        title={`Switch billing on for ${customer.team_name}?`}
        operation={switchBillingOn}
        params={{ email: customer.email }}
        body={{ currency: 'USD' }}
        submit="Switch billing on"
        color="success"
      >
        <p>The account gets a balance in one currency, which stays. It cannot be switched off again.</p>
        <FormSelect name="currency" label="Currency" options={billingCurrencies.map((value) => ({ value, label: value }))} />
      </ReasonModal>
    </>
  )
}
