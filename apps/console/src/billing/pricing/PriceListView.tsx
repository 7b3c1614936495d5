import { exportPlanPrices, exportPrices, listPrices, type listPlanPrices } from '@masthead/contract/billing/price-operations'
import { expensiveMicros, isExpensive, type NetworkPrice, type PriceList } from '@masthead/contract/billing/tariff'
import { formatDay } from '@masthead/contract/kernel/time'
import { technologies } from '@masthead/contract/networks/network'
import { Download, RadioTower, TriangleAlert } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { urlOf } from '../../api/client.ts'
import { DownloadLink } from '../../kit/DownloadLink.tsx'
import type { Filter } from '../../kit/filters.ts'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Badge } from '../../ui/Badge.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { countryName } from '../../ui/country-name.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { PriceCalculator } from './PriceCalculator.tsx'
import { PriceMap } from './PriceMap.tsx'
import { changeWords, countingWords, priceWords } from './price-words.ts'
import { SimFeesPanel } from './SimFeesPanel.tsx'

type Zone = PriceList['zones'][number]
type Priced = Pick<NetworkPrice, 'price_micros' | 'list_price_micros'>

/** A price for a megabyte: what is agreed with the reader beside what the list says, and a warning where it is high. */
function Price({ of: { price_micros, list_price_micros }, currency }: { of: Priced; currency: string }) {
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-1.5">
      {list_price_micros !== null && (
        <>
          <Badge tone="info">Yours</Badge>
          <s className="text-xs text-fg-3">{priceWords(list_price_micros, currency)}</s>
        </>
      )}
      {price_micros !== null && isExpensive(price_micros) && (
        <span className="text-warn-mark" title={`Above ${priceWords(expensiveMicros, currency)} per MB`}>
          <Icon of={TriangleAlert} size={14} />
          <span className="sr-only">Expensive: </span>
        </span>
      )}
      <span className="font-medium tabular-nums">{priceWords(price_micros, currency)}</span>
    </span>
  )
}

function Next({ from, to, currency }: { from: number | null; to: number | null; currency: string }) {
  if (to === null) return <span className="text-fg-3">no change</span>
  return (
    <span className="tabular-nums">
      {priceWords(to, currency)} {from !== null && <span className="text-xs text-fg-3">{changeWords(from, to)}</span>}
    </span>
  )
}

const count = (number: number, one: string, many: string) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** How many of the reader's groups allow a network. */
const Groups = ({ of }: { of: number | null }) =>
  of === 0 ? <span className="text-fg-3">Not allowed</span> : <>{of === null ? '—' : count(of, 'group', 'groups')}</>

function columnsOf({ currency, next }: PriceList, isOwn: boolean): { zones: Column<Zone>[]; networks: Column<NetworkPrice>[] } {
  const nextHeader = next ? `From ${formatDay(next.effective_from).replace(/ \d+$/, '')}` : ''
  return {
    zones: [
      {
        id: 'zone',
        header: 'Zone',
        list: 'title',
        shape: 'two',
        cell: ({ id, name, countries, networks }) => (
          <TwoLines
            first={<span className="font-medium">{name === id ? id : `${id}, ${name}`}</span>}
            second={
              networks === 0
                ? 'none of the networks below'
                : [countries > 0 && count(countries, 'country', 'countries'), count(networks, 'network', 'networks')]
                    .filter(Boolean)
                    .join(', ')
            }
          />
        ),
      },
      { id: 'price', header: 'Per MB', width: 190, numeric: true, list: 'aside', cell: (zone) => <Price of={zone} currency={currency} /> },
      ...(next
        ? [
            {
              id: 'next',
              header: nextHeader,
              width: 140,
              numeric: true,
              list: 'below' as const,
              listHead: true,
              cell: (zone: Zone) => <Next from={zone.price_micros} to={zone.next_price_micros} currency={currency} />,
            },
          ]
        : []),
    ],
    networks: [
      {
        id: 'network',
        header: 'Country and network',
        list: 'title',
        shape: 'two',
        cell: ({ country, name, mccmnc }) => (
          <TwoLines
            first={<span className="font-medium">{countryName(country)}</span>}
            second={
              <>
                {name} <span className="mono">{mccmnc}</span>
              </>
            }
          />
        ),
      },
      {
        id: 'access',
        header: 'Access',
        width: 180,
        drop: 1,
        cell: ({ rats }) => (
          <span className="truncate text-xs">
            {rats.map((rat) => (technologies as Record<string, string>)[rat] ?? rat).join(', ') || '—'}
          </span>
        ),
      },
      { id: 'zone', header: 'Zone', width: 100, drop: 3, list: 'below', listHead: true, cell: ({ zone_id }) => zone_id ?? '—' },
      {
        id: 'price',
        header: 'Per MB',
        width: 190,
        numeric: true,
        list: 'aside',
        cell: (row) => <Price of={row} currency={currency} />,
      },
      ...(next
        ? [
            {
              id: 'next',
              header: nextHeader,
              width: 140,
              numeric: true,
              drop: 2 as const,
              cell: (row: NetworkPrice) => <Next from={row.price_micros} to={row.next_price_micros} currency={currency} />,
            },
          ]
        : []),
      ...(isOwn
        ? [{ id: 'groups', header: 'Your groups', width: 120, drop: 2 as const, cell: (row: NetworkPrice) => <Groups of={row.groups} /> }]
        : []),
    ],
  }
}

/** By country, zone, technology, price, and by what network groups that have SIMs allow. */
const filtersOf = ({ zones, places, currency }: PriceList, isOwn: boolean): Filter[] => [
  {
    key: 'country',
    label: 'Country',
    options: [...new Set(places.map(({ country }) => country))]
      .map((code) => ({ value: code, label: countryName(code) }))
      .toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
  },
  { key: 'zone', label: 'Zone', options: zones.map(({ id }) => ({ value: id, label: id })) },
  { key: 'rat', label: 'Access', options: Object.entries(technologies).map(([value, label]) => ({ value, label })) },
  {
    key: 'most_micros',
    label: 'Price per MB',
    options: [...new Set(zones.map(({ price_micros }) => price_micros))]
      .toSorted((one, other) => one - other)
      .map((micros) => ({ value: String(micros), label: `up to ${priceWords(micros, currency)}` })),
  },
  ...(isOwn ? [{ key: 'allowed', label: 'Networks', options: [{ value: 'true', label: 'those that my groups allow' }] }] : []),
]

// Those of the table below that a country of the map changes.
const listed = { country: '', page: 1, after: '' }

/** A price list as its readers see it: zones, fees of SIMs, a map, and what data costs in each network. */
export function PriceListView({
  list,
  operation,
  children,
}: {
  list: PriceList
  operation: typeof listPrices | typeof listPlanPrices
  children?: ReactNode
}) {
  const { currency, next, zones, fees } = list
  const isOwn = operation === listPrices
  const columns = columnsOf(list, isOwn)
  const filters = filtersOf(list, isOwn)
  const [params] = useSearchParams()
  const asked = Object.fromEntries(
    ['search', ...filters.map(({ key }) => key)].flatMap((key) => (params.get(key) ? [[key, params.get(key)]] : []))
  )
  const [, setListed] = useAddressState(listed)
  const table = useRef<HTMLDivElement>(null)
  const changed = zones.filter(({ next_price_micros }) => next_price_micros !== null)
  return (
    <div className="grid gap-4">
      {next && changed.length > 0 && (
        <Notice tone="info">
          <b className="font-medium">Prices change on {formatDay(next.effective_from)}.</b>{' '}
          {changed
            .slice(0, 3)
            .map(
              ({ id, price_micros, next_price_micros: to }) =>
                `${id} ${to! > price_micros ? 'rises' : 'falls'} to ${priceWords(to, currency)} per MB`
            )
            .join(', ')}
          {changed.length > 3 && `, and ${changed.length - 3} more`}. Prices agreed with your account stay.
        </Notice>
      )}
      <div className="grid items-start gap-4 @md:grid-cols-[minmax(0,1fr)_320px]">
        <Panel
          title="Zones"
          note={`${list.name}, version ${list.version}, since ${formatDay(list.effective_from)}`}
          flush
          className="overflow-clip"
        >
          <PlainTable label="Zones" columns={columns.zones} rows={zones} rowId={({ id }) => id} />
          <p className="border-t border-line bg-bg-2 px-4 py-2.5 text-xs text-fg-2">{countingWords(list)}</p>
        </Panel>
        <SimFeesPanel fees={fees} currency={currency} />
      </div>
      <div className="grid items-start gap-4 @md:grid-cols-[minmax(0,1fr)_320px]">
        <PriceMap
          list={list}
          onCountry={(country) => {
            setListed({ ...listed, country }, { push: true })
            table.current!.scrollIntoView({ block: 'start' })
          }}
        />
        <PriceCalculator list={list} />
      </div>
      {children}
      <div ref={table}>
        <QueryTable
          operation={operation}
          label="Prices by network"
          columns={columns.networks}
          rowId={({ mccmnc }) => mccmnc}
          search="Country, operator, MCC-MNC"
          filters={filters}
          actions={
            <DownloadLink
              className={buttonClass('ghost')}
              href={urlOf(isOwn ? exportPrices : exportPlanPrices, { query: asked } as never)}
              name="prices.csv"
            >
              <Icon of={Download} className="-ml-0.5" />
              CSV
            </DownloadLink>
          }
          empty={<EmptyState icon={RadioTower} title="No data found" />}
        />
      </div>
    </div>
  )
}
