import type { Asset } from '@masthead/contract/assets/asset'
import { mostRaise } from '@masthead/contract/assets/month-limit'
import { raiseSimLimit, setSimLimit } from '@masthead/contract/assets/sim-operations'
import { limitPeriods, type LimitPeriod, type Sim } from '@masthead/contract/assets/sim'
import { formatClock } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { useOperation } from '../../api/query.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { plain, toast } from '../../ui/toast.ts'
import { SimEffect } from '../later-sim-effect.ts'
import { shortDay } from '../sim-words.ts'
import { BytesField, limitFault, raiseFault } from './BytesField.tsx'

type Props = { asset: Asset; sim: Sim; onClose: () => void }

const periods = [
  { value: 'month', label: 'A month' },
  { value: 'day', label: 'A day' },
] as const

/** A limit of the SIM's own, or none. */
export function LimitDialog({ asset, sim, onClose }: Props) {
  const { limit_of, limit_period } = sim.usage
  const own = limit_of?.scope === 'sim'
  const [kind, setKind] = useState<'own' | 'none'>('own')
  const [bytes, setBytes] = useState<number | null>(limit_of?.usual_bytes ?? 1e9)
  const [period, setPeriod] = useState<LimitPeriod>(limit_period ?? 'month')
  const call = useOperation(setSimLimit)
  const none = kind === 'none'
  // What a day has used is known where its limit is of a day.
  const used = period === 'month' ? sim.usage.period_bytes : limit_period === 'day' ? sim.usage.limit_used_bytes : null
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Data limit of ${asset.name}`}
      confirm={none ? 'Take the limit away' : 'Set limit'}
      loading={call.isPending}
      failure={call.error}
      blocked={none ? (own ? null : 'It has no limit of its own') : limitFault(bytes)}
      onConfirm={() =>
        call.mutate(
          { params: { asset_id: asset.id }, body: none ? { bytes: null } : { bytes, period } },
          {
            onSuccess: () => {
              toast.success(`${plain(asset.name)}: ${none ? 'no limit of its own' : `limit ${formatBytes(bytes!)}`}`)
              onClose()
            },
          }
        )
      }
    >
      <RadioGroup
        label="Limit"
        hideLabel
        value={kind}
        onChange={setKind}
        choices={[
          { value: 'own', label: 'A limit of its own', about: 'It wins over the limit of its network group.' },
          { value: 'none', label: 'None of its own', about: 'The limit of its network group applies, if that has one.' },
        ]}
      />
      {none && own && <SimEffect asset_id={asset.id} of={{ action: 'set_limit', limit: null }} />}
      {!none && (
        <>
          <BytesField label="Data" value={bytes} onChange={setBytes} />
          <Segmented label="Counted" options={periods} value={period} onChange={setPeriod} />
          {used !== null && bytes !== null && used >= bytes ? (
            <p className="text-bad-fg">
              It has used {formatBytes(used)} {limitPeriods[period]}: the SIM is blocked at once, and its session is cut.
            </p>
          ) : (
            <p>When it is reached, the SIM is blocked and its session is cut.</p>
          )}
          <p>
            It counts from 0 {period === 'month' ? 'on the first day of each month' : 'each day'}, {formatClock(0, 0)} UTC.
          </p>
        </>
      )}
    </Confirm>
  )
}

const times = [1.25, 1.5, 2, 3, 5, 10, 20, 50, 100]

/** Amounts that people choose: so many times the limit, above what the SIM has used. */
const raiseSteps = (allows: number, used: number): number[] =>
  times
    .map((each) => Math.round(allows * each))
    .filter((bytes) => bytes > used && bytes <= mostRaise)
    .slice(0, 3)

/** More for the period that runs, and for no other. */
export function RaiseDialog({ asset, sim, onClose }: Props) {
  const { limit_bytes, limit_used_bytes, limit_period, limit_of, period_end } = sim.usage
  const [allows, used] = [limit_bytes ?? 0, limit_used_bytes ?? 0]
  const steps = raiseSteps(allows, used)
  const [chosen, setChosen] = useState(String(steps[1] ?? 'other'))
  const [other, setOther] = useState<number | null>(null)
  const bytes = chosen === 'other' ? other : Number(chosen)
  const call = useOperation(raiseSimLimit)
  const period = limitPeriods[limit_period ?? 'month']
  const fault = raiseFault(bytes) ?? (bytes! <= allows ? `It allows ${formatBytes(allows)} already` : null)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Raise the limit for ${period}`}
      confirm={fault === null ? `Raise to ${formatBytes(bytes!)}` : 'Raise limit'}
      loading={call.isPending}
      failure={call.error}
      blocked={fault}
      onConfirm={() =>
        call.mutate(
          { params: { asset_id: asset.id }, body: { bytes: bytes! } },
          {
            onSuccess: () => {
              toast.success(`${plain(asset.name)} may use ${formatBytes(bytes!)} ${period}`)
              onClose()
            },
          }
        )
      }
    >
      <p>
        {formatBytes(used)} of {formatBytes(allows)} used {period}
        {limit_of?.scope === 'group' ? ', by the limit of its network group' : ''}. {backWords(limit_period, period_end, limit_of)}
      </p>
      <RadioGroup
        label={`What it may use in all ${period}`}
        value={chosen}
        onChange={setChosen}
        choices={[...steps.map((step) => ({ value: String(step), label: formatBytes(step) })), { value: 'other', label: 'Another amount' }]}
      />
      {chosen === 'other' && <BytesField label="Data" value={other} onChange={setOther} />}
      {bytes !== null && bytes <= used && bytes > allows && <p>It has used more than that: it stays blocked.</p>}
    </Confirm>
  )
}

const backWords = (period: LimitPeriod | null, period_end: string, of: Sim['usage']['limit_of']) =>
  of
    ? `From ${period === 'day' ? 'tomorrow' : shortDay(period_end)}, ${formatClock(0, 0)} UTC, the limit is ${formatBytes(of.usual_bytes)} again.`
    : ''
