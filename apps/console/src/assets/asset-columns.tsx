import type { Asset } from '@masthead/contract/assets/asset'
import { monthLimitOf } from '@masthead/contract/assets/month-limit'
import { LimitBar } from '../kit/Bytes.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import type { Column } from '../ui/Table.tsx'
import { Tags } from '../ui/Tag.tsx'
import { AssetCell, Identifier, LastSeenCell, SimStatusCell, TypeCell } from './asset-cells.tsx'

const number = (id: 'imsi' | 'msisdn' | 'imei' | 'eid', header: string, width: number): Column<Asset> => ({
  id,
  header,
  width,
  sort: id,
  optional: true,
  cell: ({ sim }) => <Identifier text={sim?.[id]} label={header} />,
})

const named = (id: string, header: string, of: (asset: Asset) => { name: string } | null | undefined): Column<Asset> => ({
  id,
  header,
  width: 130,
  optional: true,
  cell: (asset) => {
    const it = of(asset)
    return it ? <span className="truncate">{it.name}</span> : <Identifier text={null} label={header} />
  },
})

/** Columns of the assets list (domain §1.2). */
export const assetColumns: Column<Asset>[] = [
  { id: 'asset', header: 'Asset', sort: 'name', fixed: true, list: 'title', shape: 'two', cell: (asset) => <AssetCell asset={asset} /> },
  { id: 'type', header: 'Type', width: 118, sort: 'type', drop: 3, cell: (asset) => <TypeCell asset={asset} /> },
  {
    id: 'sim_status',
    header: 'SIM status',
    width: 176,
    sort: 'sim_status',
    list: 'aside',
    shape: 'two',
    cell: (asset) => <SimStatusCell asset={asset} />,
  },
  { id: 'tags', header: 'Tags', width: 136, sort: 'tags', drop: 2, cell: (asset) => <Tags tags={asset.tags} /> },
  { ...named('network_group', 'Network group', ({ sim }) => sim?.network_group), sort: 'network_group' },
  named('data_pool', 'Data pool', ({ sim }) => sim?.data_pool),
  named('fleet', 'Fleet', ({ fleet }) => fleet),
  {
    id: 'usage',
    header: 'Usage this month',
    width: 148,
    sort: 'usage',
    descendingFirst: true,
    numeric: true,
    list: 'below',
    shape: 'bar',
    cell: ({ sim }) =>
      sim ? <LimitBar used={sim.usage.period_bytes} limit={monthLimitOf(sim.usage)} /> : <Identifier text={null} label="" />,
  },
  {
    id: 'last_seen',
    header: 'Last seen',
    width: 140,
    sort: 'last_seen_at',
    descendingFirst: true,
    numeric: true,
    drop: 2,
    shape: 'two',
    cell: (asset) => <LastSeenCell asset={asset} />,
  },
  {
    id: 'serial',
    header: 'Serial',
    width: 140,
    sort: 'serial',
    optional: true,
    cell: ({ serial }) => <Identifier text={serial} label="serial number" />,
  },
  number('imsi', 'IMSI', 150),
  number('msisdn', 'MSISDN', 140),
  number('imei', 'IMEI', 150),
  number('eid', 'EID', 190),
  {
    id: 'firmware',
    header: 'Firmware',
    width: 150,
    optional: true,
    cell: ({ firmware }) => <Identifier text={firmware} label="firmware" />,
  },
  {
    id: 'ip',
    header: 'IP',
    width: 130,
    sort: 'ip',
    optional: true,
    cell: ({ sim }) => <Identifier text={sim?.session?.ip} label="IP address" />,
  },
  {
    id: 'created',
    header: 'Created',
    width: 110,
    sort: 'created_at',
    descendingFirst: true,
    optional: true,
    numeric: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
]
