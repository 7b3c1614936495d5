import type { Image } from '@masthead/contract/registry/image'
import type { Package } from '@masthead/contract/registry/sbom'
import { listPackages } from '@masthead/contract/registry/sbom-operations'
import { Package as PackageIcon } from 'lucide-react'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'

const columns: Column<Package>[] = [
  {
    id: 'name',
    header: 'Package',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ name, purl }) => (
      <TwoLines first={<span className="font-medium">{name}</span>} second={<span className="mono">{purl}</span>} />
    ),
  },
  { id: 'version', header: 'Version', width: 170, list: 'aside', cell: ({ version }) => <span className="mono">{version || '—'}</span> },
  {
    id: 'licence',
    header: 'Licence',
    width: 170,
    list: 'below',
    listHead: true,
    drop: 1,
    cell: ({ licence }) => <span title={licence}>{licence || '—'}</span>,
  },
]

const formats = { spdx: 'SPDX', cyclonedx: 'CycloneDX' } as const

/** What is in an image, by the newest list that is attached to it. */
export function PackagesPanel({ image: { repository_id, digest, sboms } }: { image: Image }) {
  const [sbom] = sboms
  if (!sbom) return null
  return (
    <Panel title="Packages" note={`${formats[sbom.format]} ${sbom.format_version}${sbom.made_by ? `, by ${sbom.made_by}` : ''}`}>
      <QueryTable
        operation={listPackages}
        input={{ params: { repository_id, digest } }}
        label="Packages"
        columns={columns}
        rowId={({ place }) => String(place)}
        rowName={({ name }) => name}
        search="Package, version or licence"
        prefix="p-"
        empty={
          <EmptyState icon={PackageIcon} title="No data found">
            The list that is attached to this image names no package.
          </EmptyState>
        }
      />
    </Panel>
  )
}
