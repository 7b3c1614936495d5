import { useQuery } from '@tanstack/react-query'
import type { Image } from '@masthead/contract/registry/image'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { getVulnerabilities } from '@masthead/contract/registry/image-operations'
import { severities, type Finder, type Severity, type Vulnerabilities, type Vulnerability } from '@masthead/contract/registry/vulnerability'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { ScanButton, ScanLine } from './ScanParts.tsx'
import { severityWords } from './VulnerabilityCounts.tsx'

const tones = { critical: 'bad', high: 'bad', medium: 'warn', low: 'idle', unknown: 'idle' } as const satisfies Record<Severity, string>
const count = (value: number) => value.toLocaleString('en')

const columns: Column<Vulnerability>[] = [
  {
    id: 'package',
    header: 'Package',
    list: 'title',
    shape: 'two',
    cell: (row) => (
      <TwoLines first={<span className="font-medium">{row.package}</span>} second={<span className="mono">{row.version}</span>} />
    ),
  },
  {
    id: 'severity',
    header: 'Severity',
    width: 110,
    list: 'aside',
    cell: ({ severity }) => <Badge tone={tones[severity]}>{severityWords[severity]}</Badge>,
  },
  {
    id: 'advisory',
    header: 'Advisory',
    shape: 'two',
    list: 'below',
    cell: ({ id, aliases, summary }) => (
      <TwoLines first={<span className="mono">{[id, ...aliases].join(', ')}</span>} second={<span title={summary}>{summary}</span>} />
    ),
  },
  {
    id: 'fixed',
    header: 'Fixed in',
    width: 150,
    list: 'below',
    listHead: true,
    cell: ({ fixed_in }) => <span className="mono">{fixed_in ?? 'not yet'}</span>,
  },
]
/** Who says so, where there is more than one who could. */
const foundBy = (scanner: string): Column<Vulnerability> => {
  const words: Record<Finder, string> = { packages: 'List of packages', scanner: `Scanner ${scanner}` }
  return {
    id: 'found_by',
    header: 'Found by',
    width: 190,
    list: 'below',
    listHead: true,
    drop: 1,
    cell: ({ found_by }) => {
      const all = found_by.map((each) => words[each]).join(', ')
      return (
        <span className="truncate" title={all}>
          {all}
        </span>
      )
    },
  }
}
const shownFirst = 20

/** What advisories say about the packages of an image, and what a scanner found in it. */
export function VulnerabilitiesPanel({ image: { repository_id, digest } }: { image: Image }) {
  const { data, error, refetch } = useQuery(q(getVulnerabilities, { params: { repository_id, digest } }))
  if (error && !data) return <ErrorState title="Vulnerabilities could not be loaded" failure={error} onRetry={() => void refetch()} />
  return (
    <Panel
      title="Known vulnerabilities"
      note={data?.advisories_at ? `advisories of ${formatExactHere(data.advisories_at)}` : undefined}
      end={data?.scanner && <ScanButton image={{ repository_id, digest }} scan={data.scan} />}
      flush={!!data && data.items.length > 0}
    >
      {data ? (
        <>
          {data.scan && <ScanLine scan={data.scan} inset={data.items.length > 0} />}
          <Found found={data} />
        </>
      ) : (
        <SkeletonLines lines={3} />
      )}
    </Panel>
  )
}

function Found({ found }: { found: Vulnerabilities }) {
  const { packages, advisories_at, not_compared, items, fixable, scan } = found
  const [all, showAll] = useState(false)
  const scanner = scan?.report?.scanner
  const isCompared = packages !== null && advisories_at !== null
  if (!isCompared && scanner === undefined) return <Words>{whyUnknown(found)}</Words>
  const left = isCompared && not_compared > 0 && ` ${count(not_compared)} of ${count(packages)} packages could not be compared.`
  if (items.length === 0)
    return (
      <Words>
        {isCompared && 'No advisory is about the versions in this image.'}
        {left}
        {scanner !== undefined && ` ${scanner} found no known vulnerability in it.`}
      </Words>
    )
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 px-4 py-3 text-sm">
        {severities
          .filter((severity) => found.counts[severity] > 0)
          .map((severity) => (
            <Badge key={severity} tone={tones[severity]}>
              {count(found.counts[severity])} {severityWords[severity].toLowerCase()}
            </Badge>
          ))}
        <span className="text-fg-2">
          {count(fixable)} fixed in a later version.{left}
        </span>
      </p>
      <PlainTable
        label="Known vulnerabilities"
        columns={scanner === undefined ? columns : [...columns, foundBy(scanner)]}
        rows={all ? items : items.slice(0, shownFirst)}
        rowId={(row) => `${row.id} ${row.package} ${row.version}`}
      />
      {!all && items.length > shownFirst && (
        <div className="p-3">
          <Button size="small" onClick={() => showAll(true)}>
            Show all {count(items.length)}
          </Button>
        </div>
      )}
    </>
  )
}

function whyUnknown({ packages, scanner, scan }: Vulnerabilities): string {
  if (scan) return 'Not known yet: there is no report on this image.'
  if (scanner) return 'Not known yet: this image was not scanned, and no list of its packages is compared with advisories.'
  return packages === null
    ? 'Not known: no list of its packages (SBOM) is attached to this image. Attach one of SPDX or CycloneDX in JSON.'
    : 'Not known: no advisories are loaded on this installation yet.'
}

const Words = ({ children }: { children: React.ReactNode }) => <p className="text-sm text-fg-2">{children}</p>
