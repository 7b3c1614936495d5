import { withdrawTariffVersion, type TariffWithVersions } from '@masthead/contract/backoffice/tariff-operations'
import type { TariffVersion } from '@masthead/contract/billing/tariff'
import { formatDay } from '@masthead/contract/kernel/time'
import { useState, type ReactNode } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Select } from '../../ui/Select.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { changeWords, countingWords, priceWords } from './price-words.ts'
import { SimFeesPanel } from './SimFeesPanel.tsx'

const TariffEffect = later(async () => (await import('./TariffEffect.tsx')).TariffEffect)

/** `before`: the price in the version before; null where the zone is new; undefined where there is no version before. */
type Row = TariffVersion['zones'][number] & { before: number | null | undefined }

const columns = (currency: string): Column<Row>[] => [
  {
    id: 'zone',
    header: 'Zone',
    list: 'title',
    shape: 'two',
    cell: ({ id, name, networks }) => (
      <TwoLines
        first={<span className="font-medium">{name === id ? id : `${id}, ${name}`}</span>}
        second={
          networks.includes('*') ? (
            'every network that no other zone names'
          ) : (
            <span className="mono">
              {networks.length > 8 ? `${networks.slice(0, 8).join(', ')} and ${networks.length - 8} more` : networks.join(', ')}
            </span>
          )
        }
      />
    ),
  },
  {
    id: 'price',
    header: 'Per MB',
    width: 120,
    numeric: true,
    list: 'aside',
    cell: ({ price_micros }) => priceWords(price_micros, currency),
  },
  {
    id: 'change',
    header: 'Change',
    width: 110,
    numeric: true,
    list: 'below',
    listHead: true,
    cell: ({ before, price_micros }) =>
      before === null ? 'new' : before === undefined || before === price_micros ? '—' : changeWords(before, price_micros),
  },
]

const stateOf = ({ current }: TariffWithVersions, { number }: TariffVersion) =>
  number === current ? 'valid' : current === null || number > current ? 'planned' : 'over'

/** One version of a price list beside the one before it. */
export function TariffVersions({ tariff, add }: { tariff: TariffWithVersions; add: ReactNode }) {
  const [place, change] = useAddressState({ version: 0 })
  const [withdrawing, setWithdrawing] = useState(false)
  const [effect, setEffect] = useState(false)
  const { versions, currency } = tariff
  const at = Math.max(
    0,
    versions.findIndex(({ number }) => number === (place.version || (tariff.current ?? versions[0]!.number)))
  )
  const shown = versions[at]!
  const before = versions[at + 1]
  const state = stateOf(tariff, shown)
  const rows = shown.zones.map((zone) => ({
    ...zone,
    before: before && (before.zones.find(({ id }) => id === zone.id)?.price_micros ?? null),
  }))
  return (
    <section aria-label={tariff.name} className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-64">
          <Select
            label={`Version of ${tariff.name}`}
            value={String(shown.number)}
            options={versions.map((version) => ({
              value: String(version.number),
              label: `${version.number}, from ${formatDay(version.effective_from)}`,
            }))}
            onChange={(value) => change({ version: Number(value) }, { push: true })}
          />
        </div>
        <span className="pb-2">
          {state === 'valid' && <Badge tone="ok">Valid</Badge>}
          {state === 'planned' && <Badge tone="info">Planned</Badge>}
          {state === 'over' && <Badge tone="idle">Over</Badge>}
        </span>
        <span className="ml-auto flex gap-2">
          {state !== 'over' && <Button onClick={() => setEffect(true)}>Effect</Button>}
          {state === 'planned' && (
            <ActionButton operation={withdrawTariffVersion} color="danger-quiet" onClick={() => setWithdrawing(true)}>
              Withdraw
            </ActionButton>
          )}
          {add}
        </span>
      </div>
      <div className="grid items-start gap-4 @md:grid-cols-[minmax(0,1fr)_320px]">
        <Panel title="Zones" note={`by ${shown.created_by}`} flush className="overflow-clip">
          <PlainTable label="Zones" columns={columns(currency)} rows={rows} rowId={({ id }) => id} />
          <p className="border-t border-line bg-bg-2 px-4 py-2.5 text-xs text-fg-2">{countingWords(shown)}</p>
        </Panel>
        <SimFeesPanel fees={shown.fees} currency={currency} />
      </div>
      {effect && <TariffEffect tariff={tariff} number={shown.number} onClose={() => setEffect(false)} />}
      {withdrawing && (
        <ConfirmCall
          operation={withdrawTariffVersion}
          input={{ params: { tariff_id: tariff.id }, body: { number: shown.number } }}
          title={`Withdraw version ${shown.number} of ${tariff.name}?`}
          confirm="Withdraw"
          color="danger"
          done={`Version ${shown.number} is withdrawn`}
          onClose={() => {
            setWithdrawing(false)
            change({ version: 0 })
          }}
        >
          It is not valid yet, so nothing was charged by it. The version before stays valid.
        </ConfirmCall>
      )}
    </section>
  )
}
