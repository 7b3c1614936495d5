import { roundingScopes } from '@masthead/contract/billing/rating'
import { Plus, Trash2 } from 'lucide-react'
import { useFieldArray } from 'react-hook-form'
import { FormLines, useListError } from '../../kit/FormLines.tsx'
import { FormNumber, FormText } from '../../kit/FormField.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { FormPrice } from './FormPrice.tsx'

const scopes = Object.entries(roundingScopes).map(([value, label]) => ({ value, label: label.replace('each', 'Each') }))

/** The fields of a version; `of` stands before their names where the body has more than it. */
export function TermsFields({ of = '', first }: { of?: string; first: boolean }) {
  return (
    <>
      <div className="grid gap-4 @sm:grid-cols-2">
        <FormText
          name={`${of}effective_from`}
          label="Valid from"
          placeholder="2026-12-01"
          hint={`A day, from 00:00 UTC on. ${first ? 'Today at the earliest.' : 'Usage before it stays with the version before, also when it arrives later.'}`}
        />
        <FormSelect
          name={`${of}kb`}
          label="1 MB is"
          options={[
            { value: 1000 as unknown as string, label: '1,000,000 bytes' },
            { value: 1024 as unknown as string, label: '1,048,576 bytes' },
          ]}
        />
        <FormNumber name={`${of}block_bytes`} label="Rounded up to (bytes)" decimals={0} min={1} hint="1: nothing is rounded up." />
        <FormSelect name={`${of}rounding_scope`} label="What is rounded up" options={scopes} />
      </div>
      <Zones name={`${of}zones`} />
      <Fees name={`${of}fees`} />
    </>
  )
}

function Zones({ name }: { name: string }) {
  const { fields, append, remove } = useFieldArray({ name })
  const error = useListError(name)
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-2 font-medium">Zones</legend>
      {fields.map((field, i) => (
        <div key={field.id} role="group" aria-label={`Zone ${i + 1}`} className="grid gap-3 rounded-lg border border-line p-3">
          <div className="grid items-start gap-3 @sm:grid-cols-[1fr_2fr_1fr_auto]">
            <FormText name={`${name}.${i}.id`} label="Id" placeholder="EU1" />
            <FormText name={`${name}.${i}.name`} label="Name" placeholder="Europe" />
            <FormPrice name={`${name}.${i}.price_micros`} label="Price per MB" />
            {fields.length > 1 && (
              <span className="@sm:pt-6">
                <IconButton label={`Remove zone ${i + 1}`} icon={Trash2} onClick={() => remove(i)} />
              </span>
            )}
          </div>
          <FormLines
            name={`${name}.${i}.networks`}
            label="Networks"
            hint="MCC-MNC like 262-01, an MCC like 262 for the rest of a country, * for all others. One a line, or with commas."
          />
        </div>
      ))}
      {error && <p className="text-sm text-bad">{error}</p>}
      <Button className="justify-self-start" icon={Plus} onClick={() => append({ id: '', name: '', networks: [], price_micros: null })}>
        Add zone
      </Button>
    </fieldset>
  )
}

function Fees({ name }: { name: string }) {
  const steps = `${name}.active_monthly`
  const { fields, append, remove } = useFieldArray({ name: steps })
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-2 font-medium">SIM fees</legend>
      <div className="grid grid-cols-2 gap-3">
        <FormPrice name={`${name}.activation_micros`} label="Activation" />
        <FormPrice name={`${name}.reactivation_micros`} label="Reactivation" />
        <FormPrice name={`${name}.inactive_monthly_micros`} label="Inactive, a month" />
        <FormPrice name={`${name}.standby_monthly_micros`} label="Standby, a month" />
      </div>
      {fields.map((field, i) => (
        <div key={field.id} role="group" aria-label={`Step ${i + 1}`} className="grid grid-cols-[1fr_1fr_auto] items-start gap-3">
          <FormNumber name={`${steps}.${i}.from`} label="Active, from SIM" decimals={0} min={1} disabled={i === 0} />
          <FormPrice name={`${steps}.${i}.price_micros`} label="Each a month" />
          {i > 0 ? (
            <span className="pt-6">
              <IconButton label={`Remove step ${i + 1}`} icon={Trash2} onClick={() => remove(i)} />
            </span>
          ) : (
            <span />
          )}
        </div>
      ))}
      <Button className="justify-self-start" icon={Plus} onClick={() => append({ from: null, price_micros: null })}>
        Add step
      </Button>
    </fieldset>
  )
}
