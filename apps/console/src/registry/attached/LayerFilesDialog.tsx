import { useQuery } from '@tanstack/react-query'
import type { Image } from '@masthead/contract/registry/image'
import { getLayerFiles } from '@masthead/contract/registry/image-operations'
import type { LayerFile, LayerFiles } from '@masthead/contract/registry/layer-file'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { PlainTable, type Column } from '../../ui/Table.tsx'

const kinds = { file: 'File', folder: 'Folder', link: 'Link', removed: 'Removed', other: 'Other' } as const

const columns: Column<LayerFile>[] = [
  {
    id: 'path',
    header: 'Path',
    list: 'title',
    cell: ({ path, target }) => (
      <span className="mono truncate" title={path}>
        {path || '.'}
        {target !== null && <span className="text-fg-3"> → {target}</span>}
      </span>
    ),
  },
  { id: 'kind', header: 'Kind', width: 90, list: 'below', cell: ({ kind }) => kinds[kind] },
  { id: 'mode', header: 'Mode', width: 80, list: 'below', listHead: true, cell: ({ mode }) => <span className="mono">{mode}</span> },
  {
    id: 'size',
    header: 'Size',
    width: 100,
    numeric: true,
    list: 'aside',
    cell: ({ kind, bytes }) => (kind === 'file' ? formatBytes(bytes) : '—'),
  },
]
const shown = 200

/** What a layer brings, and what it removes of those below. */
export function LayerFilesDialog({ image, place, onClose }: { image: Image; place: number; onClose: () => void }) {
  const params = { repository_id: image.repository_id, digest: image.digest, layer: String(place) }
  const { data, error, refetch } = useQuery(q(getLayerFiles, { params }))
  return (
    <Modal open onClose={onClose} title={`Files of layer ${place}`} size="large" footer={<Button onClick={onClose}>Close</Button>}>
      {error && !data ? (
        <ErrorState title="The files could not be listed" failure={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Files files={data} />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Modal>
  )
}

function Files({ files: { items, bytes, cut } }: { files: LayerFiles }) {
  const [search, setSearch] = useState('')
  const found = search === '' ? items : items.filter(({ path }) => path.toLowerCase().includes(search.toLowerCase()))
  return (
    <div className="grid gap-3">
      <p className="text-sm text-fg-2">
        {items.length === 1 ? '1 entry' : `${items.length.toLocaleString('en')} entries`}, {formatBytes(bytes)} unpacked
      </p>
      {cut && <Notice tone="warn">{cut}.</Notice>}
      <SearchField label="Search files" placeholder="Path" value={search} onChange={setSearch} />
      {found.length === 0 ? (
        <p className="text-sm text-fg-2">{items.length === 0 ? 'This layer has no files.' : 'No path has this in it.'}</p>
      ) : (
        <div className="max-h-96 overflow-auto rounded-lg border border-line">
          <PlainTable label="Files" columns={columns} rows={found.slice(0, shown)} rowId={({ path, kind }) => `${kind} ${path}`} />
        </div>
      )}
      {found.length > shown && (
        <p className="text-xs text-fg-3">
          These are the first {shown} of {found.length.toLocaleString('en')}: search for others.
        </p>
      )}
    </div>
  )
}
