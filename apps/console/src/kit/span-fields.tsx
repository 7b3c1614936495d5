import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { Select } from '../ui/Select.tsx'
import { useListError } from './FormLines.tsx'

/** How long what is rotated may still be used. */
const overlaps = [
  { value: '0', label: 'It stops working now' },
  { value: '1', label: 'An hour' },
  { value: '24', label: 'A day' },
  { value: '168', label: 'A week' },
] as const

const spans = { never: 0, days30: 30, days90: 90, year: 365 } as const
const options = [
  { value: 'never', label: 'Never' },
  { value: 'days30', label: '30 days from now' },
  { value: 'days90', label: '90 days from now' },
  { value: 'year', label: 'A year from now' },
  { value: 'own', label: 'Custom' },
] as const
type Choice = (typeof options)[number]['value']

const localTime = (at: string) => {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** An end: a span from now, a time, or none. */
export function EndField({ name, label }: { name: string; label: string }) {
  const error = useListError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => <End label={label} error={error} value={field.value as string | null} onChange={field.onChange} />}
    />
  )
}

function End({
  label,
  error,
  value,
  onChange,
}: {
  label: string
  error: string | undefined
  value: string | null
  onChange: (value: string | null) => void
}) {
  const [choice, setChoice] = useState<Choice>(value === null ? 'never' : 'own')
  const choose = (next: Choice) => {
    setChoice(next)
    if (next === 'own') return
    onChange(next === 'never' ? null : new Date(Date.now() + spans[next] * 86_400_000).toISOString())
  }
  return (
    <div className="grid content-start gap-2">
      <Select label={label} options={options} value={choice} onChange={choose} error={choice === 'own' ? undefined : error} />
      {choice === 'own' && (
        <DateTimeField
          label="Expires, in your time zone"
          value={value ? localTime(value) : ''}
          onChange={(text) => onChange(text ? new Date(text).toISOString() : null)}
          error={error}
        />
      )}
    </div>
  )
}

/** Hours that a rotated secret may still be used. */
export const OverlapField = ({ label }: { label: string }) => (
  <Controller
    name="overlap_hours"
    render={({ field }) => (
      <Select
        label={label}
        options={overlaps}
        value={String(field.value) as (typeof overlaps)[number]['value']}
        onChange={(hours) => field.onChange(Number(hours))}
      />
    )}
  />
)
