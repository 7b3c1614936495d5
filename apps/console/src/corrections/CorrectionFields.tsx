import { useEffect, useState } from 'react'
import { get, useFormContext } from 'react-hook-form'
import type { CorrectionPreview } from '@masthead/contract/usage/correction'
import { Button } from '../ui/Button.tsx'
import { DateField } from '../ui/DateField.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Select } from '../ui/Select.tsx'
import { CorrectionEffect, useCorrectionPreview } from './CorrectionEffect.tsx'

const units = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
type Unit = keyof typeof units
const decimals = (unit: Unit) => Math.round(Math.log10(units[unit]))
const ways = [
  { value: 'away', label: 'Subtract' },
  { value: 'add', label: 'Add' },
] as const

type FieldsProps = { assetId: string; days: { first: string; last: string }; onRefused: (refused: boolean) => void }

/** The fields of the form around them: of which day, how much, of which network; below them what comes of it, or that it is refused. */
export function CorrectionFields({ assetId, days, onRefused }: FieldsProps) {
  const { watch, setValue, formState } = useFormContext()
  const [day, up, down, mccmnc, rat] = watch(['day', 'bytes_up', 'bytes_down', 'mccmnc', 'rat']) as [
    string,
    number,
    number,
    string?,
    string?,
  ]
  const [unit, setUnit] = useState<Unit>('MB')
  const [chosen, choose] = useState<'away' | 'add'>('away')
  const way = up + down === 0 ? chosen : up + down < 0 ? 'away' : 'add'
  const sign = way === 'away' ? -1 : 1
  const put = (name: string, value: unknown) => setValue(name, value, { shouldDirty: true, shouldValidate: formState.isSubmitted })
  const error = (name: string) => (get(formState.errors, name) as { message?: string } | undefined)?.message
  const preview = useCorrectionPreview(assetId, { day, bytes_up: up, bytes_down: down, mccmnc, rat })
  const before = preview.data?.before
  const empty = up === 0 && down === 0
  const refused = !empty && Boolean(preview.data?.refused)
  useEffect(() => onRefused(refused), [refused, onRefused])
  const amount = (name: string, label: string, bytes: number) => (
    <NumberField
      label={label}
      value={bytes === 0 ? null : Math.abs(bytes) / units[unit]}
      min={0}
      decimals={decimals(unit)}
      unit={unit}
      error={error(name)}
      onChange={(value) => put(name, Math.round((value ?? 0) * units[unit]) * sign || 0)}
    />
  )
  const takeAll = () => {
    if (!before) return
    choose('away')
    // Beyond it numbers are not exact: the rest is another correction.
    put('bytes_up', -Math.min(before.bytes_up, Number.MAX_SAFE_INTEGER) || 0)
    put('bytes_down', -Math.min(before.bytes_down, Number.MAX_SAFE_INTEGER) || 0)
  }
  return (
    <>
      <div className="grid gap-4 @xs:grid-cols-2">
        <DateField
          label="Day, in UTC"
          value={day}
          onChange={(to) => put('day', to)}
          min={days.first}
          max={days.last}
          today={days.last}
          error={error('day')}
        />
        <Select
          label="Network"
          value={mccmnc ? `${mccmnc} ${rat ?? ''}` : ''}
          options={networkOptions(preview.data?.networks ?? [])}
          onChange={(to) => {
            const [network, technology] = to.split(' ')
            put('mccmnc', network || undefined)
            put('rat', technology || undefined)
          }}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label="Direction"
          options={ways}
          value={way}
          onChange={(to) => {
            choose(to)
            if (to === way) return
            put('bytes_up', 0 - up)
            put('bytes_down', 0 - down)
          }}
        />
        <Segmented label="Unit" options={unitOptions} value={unit} onChange={setUnit} />
        <Button size="small" disabled={whyNotAll(preview)} onClick={takeAll}>
          Subtract all
        </Button>
      </div>
      <div className="grid gap-4 @xs:grid-cols-2">
        {amount('bytes_up', 'Upload', up)}
        {amount('bytes_down', 'Download', down)}
      </div>
      <CorrectionEffect {...preview} empty={empty} />
    </>
  )
}

const whyNotAll = ({ data, error }: ReturnType<typeof useCorrectionPreview>) => {
  if (!data) return error ? 'What was counted could not be loaded' : 'What was counted is still being loaded'
  return data.before.bytes_up + data.before.bytes_down > 0 ? null : 'Nothing was counted'
}

const unitOptions = (Object.keys(units) as Unit[]).map((value) => ({ value, label: value }))

/** What was used where nobody knows the network is corrected with all others. */
const networkOptions = (networks: CorrectionPreview['networks']) => [
  { value: '', label: 'All, most used first' },
  ...networks
    .filter(({ mccmnc }) => mccmnc !== '')
    .map(({ mccmnc, name, rat }) => ({ value: `${mccmnc} ${rat}`, label: `${name ?? mccmnc} ${rat}`.trim() })),
]
