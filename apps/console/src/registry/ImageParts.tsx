import type { Image, ImageConfig } from '@masthead/contract/registry/image'
import { platformWords } from '@masthead/contract/registry/image'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Files } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { later } from '../kit/later.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { tagHref, typeWords } from './registry-words.ts'

const LayerFilesDialog = later(() => import('./attached/LayerFilesDialog.tsx').then((file) => file.LayerFilesDialog))

/** What an index names: an image for each platform. */
export const PlatformsPanel = ({ image, tag }: { image: Image; tag: string }) => (
  <Panel title="Images" note="one for each platform, with its layers, configuration and packages" flush>
    <ul className="divide-y divide-line">
      {image.manifests.map(({ digest, platform, size_bytes, media_type }) => (
        <li key={digest} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
          <Link className="min-w-32 flex-1 font-medium hover:underline" to={tagHref(image.repository, tag, digest)}>
            {platform ? platformWords(platform) : typeWords(media_type)}
          </Link>
          <CopyText text={digest} label="digest" max={22} />
          <span className="tabular-nums">{formatBytes(size_bytes)}</span>
        </li>
      ))}
    </ul>
  </Panel>
)

/** Its layers, the first one at the top, with the line of the build that made each. */
export function LayersPanel({ image }: { image: Image }) {
  const { layers } = image
  const [opened, open] = useState<number | null>(null)
  const largest = Math.max(1, ...layers.map(({ bytes }) => bytes))
  return (
    <Panel title="Layers" note={layers.length === 1 ? '1' : String(layers.length)} flush>
      <ol className="divide-y divide-line">
        {layers.map(({ digest, bytes, created_by, media_type }, n) => (
          <li key={`${n} ${digest}`} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <span className="grid min-w-0">
              <span className="mono truncate" title={created_by ?? media_type}>
                {created_by ?? media_type}
              </span>
              <span className="flex flex-wrap items-center gap-x-3">
                <CopyText text={digest} label="digest" max={30} className="text-xs text-fg-3" />
                {media_type.includes('tar') && (
                  <Button size="small" icon={Files} aria-label={`Files of layer ${n + 1}`} onClick={() => open(n + 1)}>
                    Files
                  </Button>
                )}
              </span>
            </span>
            <span className="grid w-24 gap-1 text-right tabular-nums">
              {formatBytes(bytes)}
              <ProgressBar value={bytes / largest} label={`Size of layer ${n + 1} beside the largest`} />
            </span>
          </li>
        ))}
      </ol>
      {opened !== null && <LayerFilesDialog image={image} place={opened} onClose={() => open(null)} />}
    </Panel>
  )
}

const Words = ({ of: words }: { of: readonly string[] }) => <span className="mono">{words.length > 0 ? words.join(' ') : '—'}</span>

export function ConfigPanel({ config }: { config: ImageConfig }) {
  const labels = Object.entries(config.labels)
  return (
    <Panel title="Configuration">
      <Facts>
        <Fact label="Starts">
          <Words of={[...config.entrypoint, ...config.cmd]} />
        </Fact>
        {config.user && (
          <Fact label="User">
            <span className="mono">{config.user}</span>
          </Fact>
        )}
        {config.workdir && (
          <Fact label="Folder">
            <span className="mono">{config.workdir}</span>
          </Fact>
        )}
        {config.exposed_ports.length > 0 && (
          <Fact label="Ports">
            <Words of={config.exposed_ports} />
          </Fact>
        )}
        {config.env.length > 0 && (
          <Fact label="Environment">
            <span className="mono">{config.env.join(', ')}</span>
            <span className="block text-xs text-fg-3">names only; values are not kept here</span>
          </Fact>
        )}
        {labels.map(([name, value]) => (
          <Fact key={name} label={<span className="wrap-anywhere">{name}</span>}>
            {value}
          </Fact>
        ))}
        {config.author && <Fact label="Author">{config.author}</Fact>}
        {config.created_at && <Fact label="Built">{formatExactHere(config.created_at)}</Fact>}
      </Facts>
    </Panel>
  )
}

/** Signatures, lists of parts and the like that name it. */
export function AttachedPanel({ image: { referrers, repository, signatures, sboms }, tag }: { image: Image; tag: string }) {
  if (referrers.length === 0) return null
  const whatIs = (digest: string) => {
    if (sboms.some((each) => each.digest === digest)) return 'List of packages (SBOM)'
    const signature = signatures.find((each) => each.digest === digest)
    return signature && (signature.of === 'image' ? 'Signature' : 'Signed attestation')
  }
  return (
    <Panel title="Attached to it" flush>
      <ul className="divide-y divide-line">
        {referrers.map(({ digest, artifact_type, size_bytes, pushed_at }) => (
          <li key={digest} className="grid px-4 py-2.5">
            <Link className="font-medium wrap-anywhere hover:underline" to={tagHref(repository, tag, digest)}>
              {whatIs(digest) ?? artifact_type ?? 'Of no named type'}
            </Link>
            <span className="text-xs text-fg-3">
              {formatBytes(size_bytes)}, pushed <RelativeTime at={pushed_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function AnnotationsPanel({ annotations }: { annotations: Record<string, string> }): ReactNode {
  const rows = Object.entries(annotations)
  if (rows.length === 0) return null
  return (
    <Panel title="Annotations">
      <Facts>
        {rows.map(([name, value]) => (
          <Fact key={name} label={<span className="wrap-anywhere">{name}</span>}>
            {value}
          </Fact>
        ))}
      </Facts>
    </Panel>
  )
}
