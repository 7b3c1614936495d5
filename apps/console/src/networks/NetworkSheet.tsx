import { dayOf } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import {
  listOperatorRates,
  setOperatorRate,
  updateOperator,
  type NetworkRate,
  type Operator,
} from '@masthead/contract/backoffice/network-operations'
import { technologies } from '@masthead/contract/networks/network'
import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import type * as z from 'zod/mini'
import { q, useOperation } from '../api/query.ts'
import { useClock } from '../kit/clock.ts'
import { FormCheckbox, FormText } from '../kit/FormField.tsx'
import { FormMultiSelect } from '../kit/FormSelect.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { countryName } from '../ui/country-name.ts'
import { DateField, dayWords } from '../ui/DateField.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { PlainTable, type Column } from '../ui/Table.tsx'
import { TextField } from '../ui/TextField.tsx'
import { toast } from '../ui/toast.ts'
import { dollars, microsOf } from './dollars.ts'

type Rate = z.output<typeof NetworkRate>
const columns: Column<Rate>[] = [
  { id: 'from', header: 'From', width: 120, list: 'title', cell: ({ effective_from }) => dayWords(effective_from) },
  { id: 'zone', header: 'Zone', list: 'below', cell: ({ zone }) => zone },
  { id: 'cost', header: 'Cost', width: 90, numeric: true, cell: ({ cost_micros }) => `$${dollars(cost_micros)}` },
  { id: 'price', header: 'Price', width: 90, numeric: true, list: 'aside', cell: ({ price_micros }) => `$${dollars(price_micros)}` },
]

/** One network: what it is, what it costs, and what it will cost. */
export function NetworkSheet({ mccmnc, network, onClose }: { mccmnc: string; network: Operator; onClose: () => void }) {
  const { data: rates, error, refetch } = useQuery(q(listOperatorRates, { params: { mccmnc } }))
  return (
    <Sheet open onClose={onClose} title={network.name} note={`${mccmnc}, ${countryName(network.country)}`}>
      <NetworkForm network={network} />
      <section className="grid gap-3 border-t border-line pt-4">
        <h3 className="font-semibold">Rates</h3>
        <p className="text-xs text-fg-3">Dollars for a megabyte of 1,000,000 bytes. Usage is priced at the rate of its day.</p>
        <div className="rounded-lg border border-line">
          {error && !rates ? (
            <ErrorState title="The rates could not be loaded" failure={error} onRetry={() => void refetch()} />
          ) : (
            <PlainTable
              label="Rates"
              columns={columns}
              rows={rates?.items}
              skeletonRows={2}
              rowId={(row) => row.effective_from}
              empty={<EmptyState title="No data found">This network has no rate yet.</EmptyState>}
            />
          )}
        </div>
        <RateForm mccmnc={mccmnc} before={network.next_rate ?? network.rate} rates={rates?.items} />
      </section>
    </Sheet>
  )
}

function NetworkForm({ network }: { network: Operator }) {
  const { form, submit, failure, submitting } = useOperationForm(updateOperator, {
    values: { name: network.name, rats: network.rats as never, active: network.active, notes: network.notes },
    input: (body) => ({ params: { mccmnc: network.mccmnc }, body }),
    onDone: () => void toast.success('The network is saved'),
  })
  return (
    <FormProvider {...form}>
      <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <FormText name="name" label="Name" />
        <FormMultiSelect name="rats" label="Radio access" options={Object.keys(technologies).map((value) => ({ value, label: value }))} />
        <FormText name="notes" label="Notes on roaming" />
        <FormCheckbox name="active">Used by our SIMs</FormCheckbox>
        {failure && <FailureNotice of={failure} />}
        <Button type="submit" color="primary-solid" className="justify-self-start" loading={submitting}>
          Save
        </Button>
      </form>
    </FormProvider>
  )
}

const newestOf = (rates: readonly Rate[]) =>
  rates
    .map(({ set_at }) => set_at)
    .toSorted()
    .at(-1) ?? null

type RateFormProps = { mccmnc: string; before: Rate | null; rates: readonly Rate[] | undefined }

function RateForm({ mccmnc, before, rates }: RateFormProps) {
  const today = useClock(dayOf)
  const [day, setDay] = useState(today)
  const [zone, setZone] = useState(before?.zone ?? '')
  const [cost, setCost] = useState(before ? dollars(before.cost_micros) : '')
  const [price, setPrice] = useState(before ? dollars(before.price_micros) : '')
  const [tried, setTried] = useState(false)
  const mutation = useOperation(setOperatorRate)
  // What was there when somebody began to write; what came since shows above, and counts as seen once it was shown.
  const [seen, setSeen] = useState<readonly Rate[] | undefined>(rates)
  if (!seen && rates) setSeen(rates)
  const [cost_micros, price_micros] = [microsOf(cost), microsOf(price)]
  const fields = mutation.error?.fields
  // What the server said was of what was typed before.
  const changed = (set: (to: string) => void) => (to: string) => {
    mutation.reset()
    set(to)
  }
  const money = 'Enter dollars, like 0.0125'
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (cost_micros === null || price_micros === null || zone.trim() === '') return
        mutation.mutate(
          {
            params: { mccmnc },
            body: { effective_from: day, zone: zone.trim(), cost_micros, price_micros, ...(seen && { known_at: newestOf(seen) }) },
          },
          { onSuccess: () => void toast.success(`The rate is set from ${dayWords(day)}`), onSettled: () => setSeen(undefined) }
        )
      }}
    >
      <div className="grid gap-3 @sm:grid-cols-2">
        <DateField label="From" value={day} min={today} today={today} onChange={changed(setDay)} error={fields?.effective_from} />
        <TextField
          label="Zone"
          value={zone}
          error={fields?.zone ?? (tried && zone.trim() === '' ? 'Name the zone' : undefined)}
          onChange={({ target }) => changed(setZone)(target.value)}
        />
        <TextField
          label="Cost per MB"
          value={cost}
          inputMode="decimal"
          error={tried && cost_micros === null ? money : undefined}
          onChange={({ target }) => setCost(target.value)}
        />
        <TextField
          label="Price per MB"
          value={price}
          inputMode="decimal"
          error={tried && price_micros === null ? money : undefined}
          onChange={({ target }) => setPrice(target.value)}
        />
      </div>
      {mutation.error && !fields && <FailureNotice of={mutation.error} />}
      <Button type="submit" className="justify-self-start" loading={mutation.isPending}>
        Set the rate
      </Button>
    </form>
  )
}
