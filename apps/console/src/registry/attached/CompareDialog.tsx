import { useQuery } from '@tanstack/react-query'
import { getImageComparison } from '@masthead/contract/registry/image-operations'
import type { Change, Comparison } from '@masthead/contract/registry/comparison'
import { listTags } from '@masthead/contract/registry/operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState, type ReactNode } from 'react'
import { q } from '../../api/query.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { Cell, Frame, Stat } from '../../ui/Panel.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Select } from '../../ui/Select.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { PlainTable, type Column } from '../../ui/Table.tsx'
import { noOtherTagWords, othersThan } from '../registry-words.ts'

type Props = { repository_id: string; tag: { name: string; digest: string }; onClose: () => void }
const mostListed = 100
const count = (value: number) => value.toLocaleString('en')

/** What a tag has that another one of its repository has not. */
export function CompareDialog({ repository_id, tag, onClose }: Props) {
  const [search, setSearch] = useState('')
  const query = { page_size: mostListed, ...(search !== '' && { search }) }
  const { data, error, refetch } = useQuery(q(listTags, { params: { repository_id }, query }))
  const [chosen, choose] = useState<string | null>(null)
  const others = othersThan(data?.items ?? [], tag)
  const before = others.find(({ name }) => name === chosen) ?? others[0]
  return (
    <Modal open onClose={onClose} title={`Compare ${tag.name}`} size="large" footer={<Button onClick={onClose}>Close</Button>}>
      <div className="grid gap-4">
        {(search !== '' || data?.next) && (
          <div className="grid gap-1">
            <SearchField label="Find a tag" placeholder="Find a tag" value={search} onChange={setSearch} />
            {data?.next && <p className="text-xs text-fg-3">These are the first {mostListed} tags: search for others.</p>}
          </div>
        )}
        {error && !data ? (
          <ErrorState title="The tags could not be loaded" failure={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <SkeletonLines lines={8} />
        ) : before ? (
          <>
            <Select
              label="With the tag"
              options={others.map(({ name }) => ({ value: name, label: name }))}
              value={before.name}
              onChange={choose}
            />
            <Compared key={before.digest} repository_id={repository_id} digest={tag.digest} before={before.digest} />
          </>
        ) : (
          <p className="text-sm text-fg-2">{noOtherTagWords(search, data.next !== null)}</p>
        )}
      </div>
    </Modal>
  )
}

function Compared({ repository_id, digest, before }: { repository_id: string; digest: string; before: string }) {
  const [platform, choose] = useState<string | null>(null)
  const query = { before, ...(platform !== null && { platform }) }
  const { data, error, refetch } = useQuery(q(getImageComparison, { params: { repository_id, digest }, query }))
  if (error && !data) return <ErrorState title="They could not be compared" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={8} />
  const { same, added, gone } = data.layers
  const { platforms } = data
  const hasLayers = platforms === null || platforms.compared !== null
  return (
    <>
      {platforms && <Platforms of={platforms} onChoose={choose} />}
      <Frame className="grid-cols-1 @md:grid-cols-3">
        <Cell>
          <Stat label="Size, compressed" value={formatBytes(data.size_bytes.after)} />
          <p className="mt-1 text-xs text-fg-3">{formatBytes(data.size_bytes.before)} before</p>
        </Cell>
        <Cell>
          <Stat label="To pull" value={hasLayers ? formatBytes(data.pull_bytes) : '—'} />
          <p className="mt-1 text-xs text-fg-3">for a device that has the other</p>
        </Cell>
        <Cell>
          <Stat label="Layers" value={hasLayers ? `${count(same)} the same` : '—'} />
          <p className="mt-1 text-xs text-fg-3">
            {hasLayers ? `${count(added.length)} new, ${count(gone.length)} gone` : 'no platform in common'}
          </p>
        </Cell>
      </Frame>
      <Part title="Configuration">
        {!hasLayers ? (
          <Words>They have no platform in common, so that only their sizes can be compared.</Words>
        ) : data.config.length === 0 ? (
          <Words>It is the same.</Words>
        ) : (
          <Changes label="Configuration" items={data.config} />
        )}
      </Part>
      <Part title="Packages">
        <Packages of={data.packages} />
      </Part>
      <Part title="Known vulnerabilities">
        <Known of={data.vulnerabilities} />
      </Part>
    </>
  )
}

/** Which platform is compared, and which ones only one of them has. */
function Platforms({ of, onChoose }: { of: NonNullable<Comparison['platforms']>; onChoose: (platform: string) => void }) {
  const { compared, both, gone, added } = of
  return (
    <div className="grid gap-1">
      {compared !== null && (
        <Select
          label="For the platform"
          options={both.map((name) => ({ value: name, label: name }))}
          value={compared}
          onChange={onChoose}
        />
      )}
      {gone.length > 0 && <Words>Only before: {gone.join(', ')}.</Words>}
      {added.length > 0 && <Words>Only now: {added.join(', ')}.</Words>}
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-2">
    <h3 className="text-sm font-semibold">{title}</h3>
    {children}
  </section>
)
const Words = ({ children }: { children: ReactNode }) => <p className="text-sm text-fg-2">{children}</p>

const side = (value: string | null) => <span className="mono wrap-anywhere whitespace-normal">{value ?? '—'}</span>
const columns: Column<Change>[] = [
  { id: 'name', header: 'What', list: 'title', cell: ({ name }) => <span className="wrap-anywhere whitespace-normal">{name}</span> },
  { id: 'before', header: 'Before', list: 'below', listHead: true, cell: ({ before }) => side(before) },
  { id: 'after', header: 'Now', list: 'below', listHead: true, cell: ({ after }) => side(after) },
]
const Changes = ({ label, items }: { label: string; items: readonly Change[] }) => (
  <div className="max-h-72 overflow-auto rounded-lg border border-line">
    <PlainTable label={label} columns={columns} rows={[...items]} rowId={({ name }) => name} />
  </div>
)

function Packages({ of }: { of: Comparison['packages'] }) {
  if (of === null) return <Words>Not known: both need a list of their packages (SBOM).</Words>
  if (of.different === 0) return <Words>All {count(of.same)} are the same.</Words>
  return (
    <>
      <Words>
        {count(of.different)} differ, {count(of.same)} are the same.
        {of.items.length < of.different && ` These are the first ${count(of.items.length)}.`}
      </Words>
      <Changes label="Packages" items={of.items} />
    </>
  )
}

function Known({ of }: { of: Comparison['vulnerabilities'] }) {
  if (of === null) return <Words>Not known: both need a list of their packages, and this installation needs advisories.</Words>
  const ids = (items: typeof of.closed) => [...new Set(items.map(({ id }) => id))].join(', ')
  if (of.closed.length + of.opened.length === 0) return <Words>Nothing changes.</Words>
  return (
    <Words>
      {of.closed.length > 0 && (
        <span className="block">
          Closed: <span className="mono wrap-anywhere">{ids(of.closed)}</span>
        </span>
      )}
      {of.opened.length > 0 && (
        <span className="block">
          New: <span className="mono wrap-anywhere">{ids(of.opened)}</span>
        </span>
      )}
    </Words>
  )
}
