import { useQuery } from '@tanstack/react-query'
import type { Image } from '@masthead/contract/registry/image'
import { platformWords } from '@masthead/contract/registry/image'
import { deployContainer } from '@masthead/contract/devices/agent/operations'
import { getImage } from '@masthead/contract/registry/operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Ellipsis, GitCompare, Rocket } from 'lucide-react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { q } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { NotThere } from '../kit/NotThere.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Banner } from '../ui/Banner.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { CodeBlock } from '../kit/CodeBlock.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { JsonView } from '../ui/JsonView.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Cell, Frame, Panel, Stat } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { PackagesPanel } from './attached/PackagesPanel.tsx'
import { SignaturesPanel } from './attached/SignatureParts.tsx'
import { VulnerabilitiesPanel } from './attached/VulnerabilitiesPanel.tsx'
import { DeployedPanel } from './DeployedPanel.tsx'
import { AnnotationsPanel, AttachedPanel, ConfigPanel, LayersPanel, PlatformsPanel } from './ImageParts.tsx'
import { layersWords, platformsWords, pullCommand, repositoryHref, subjectOf, tagHref, typeWords } from './registry-words.ts'
import { TagNotice } from './TagNotice.tsx'
import { useOwnSlug } from './use-own-slug.ts'
import { useTagActions } from './use-tag-actions.tsx'

/** One tag, and the image that it names. */
export default function TagScreen() {
  const { username = '', image = '', tag = '', digest = '' } = useParams()
  const name = `${username}/${image}`
  const { data, error, refetch } = useQuery(q(getImage, { params: { repository_id: name, digest } }))
  const navigate = useNavigate()
  const { changes, imageChanges, start, dialog } = useTagActions(
    data && { id: data.repository_id, name },
    () => void navigate(repositoryHref(name))
  )
  const slug = useOwnSlug(username, !data && error?.status === 404)
  if (slug) return <Navigate replace to={tagHref(`${slug}/${image}`, tag, digest)} />
  if (slug === undefined) return null
  const way = [
    { label: 'Registry', to: '/registry' },
    { label: name, to: repositoryHref(name) },
  ]
  const crumbs = <Breadcrumbs way={way} here={tag} named />
  const title = `${image}:${tag}`
  if (error && !data)
    return (
      <>
        <Banner title={title} crumbs={crumbs} />
        {error.status === 404 ? (
          <NotThere title="No such image" to={repositoryHref(name)} way={`All tags of ${name}`}>
            The repository <span className="mono wrap-anywhere">{name}</span> has no image{' '}
            <span className="mono wrap-anywhere">{digest}</span>. It may have been deleted.
          </NotThere>
        ) : (
          <ErrorState title="The image could not be loaded" failure={error} onRetry={() => void refetch()} />
        )}
      </>
    )
  if (!data)
    return (
      <>
        <Banner title={title} crumbs={crumbs} />
        <Panel>
          <SkeletonLines lines={12} />
        </Panel>
      </>
    )
  const own = data.tags.find((each) => each.name === tag)
  // A signature or a list of parts is nothing that a device could run.
  const runs = subjectOf(data) === null
  const here = { protected: false, ...own, name: tag, digest }
  return (
    <>
      <Banner
        title={title}
        crumbs={crumbs}
        meta={
          <>
            <CopyText text={digest} label="digest" max={30} />
            {own?.protected && <Badge>Protected</Badge>}
            {own?.immutable && <Badge>Immutable</Badge>}
            <span>
              pushed <RelativeTime at={data.pushed_at} /> by {data.pushed_by}
            </span>
            {data.pulled_at && (
              <span>
                pulled <RelativeTime at={data.pulled_at} />
              </span>
            )}
          </>
        }
        end={
          <>
            {own && (
              <Button icon={GitCompare} onClick={() => start('compare', here)}>
                Compare
              </Button>
            )}
            <Menu
              label={`Actions on ${tag}`}
              align="end"
              trigger={<IconButton label={`Actions on ${tag}`} icon={Ellipsis} color="secondary" />}
              items={own ? changes(here) : imageChanges(data)}
            />
            {own && (
              <ActionButton operation={deployContainer} icon={Rocket} color="primary-solid" onClick={() => start('deploy', here)}>
                Deploy
              </ActionButton>
            )}
          </>
        }
      />
      <TagNotice image={data} tag={tag} named={own !== undefined} />
      {data.damaged.length > 0 && (
        <div className="mb-4">
          <Notice tone="bad">
            {data.damaged.length === 1 ? 'A part of this image is damaged' : `${data.damaged.length} parts of this image are damaged`} where
            it is kept, so it cannot be pulled. Push the same image again: that replaces what is damaged.
          </Notice>
        </div>
      )}
      <Figures image={data} />
      <div className="mb-5 grid min-w-0 grid-cols-[minmax(0,1fr)]">
        <CodeBlock label="pull command" code={pullCommand(name, own ? tag : digest)} />
      </div>
      <div className="grid min-w-0 items-start gap-5 @lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="grid min-w-0 gap-5">
          {data.manifests.length > 0 && <PlatformsPanel image={data} tag={tag} />}
          {runs && <DeployedPanel repository_id={data.repository_id} digest={digest} />}
          {data.layers.length > 0 && <LayersPanel image={data} />}
          {runs && <VulnerabilitiesPanel image={data} />}
          <PackagesPanel image={data} />
          <Panel title="Manifest" note="as it was pushed">
            <JsonView value={JSON.parse(data.raw) as never} label="Manifest" />
          </Panel>
        </div>
        <div className="grid min-w-0 gap-5">
          {data.config && <ConfigPanel config={data.config} />}
          <SignaturesPanel image={data} tag={tag} />
          <AttachedPanel image={data} tag={tag} />
          <AnnotationsPanel annotations={data.annotations} />
        </div>
      </div>
      {dialog}
    </>
  )
}

function Figures({ image }: { image: Image }) {
  return (
    <Frame className="mb-5 grid-cols-2 @md:grid-cols-4">
      <Cell>
        <Stat label="Size, compressed" value={formatBytes(image.size_bytes)} />
        <p className="mt-1 text-xs text-fg-3">{image.layers.length > 0 ? layersWords(image.layers.length) : typeWords(image.media_type)}</p>
      </Cell>
      <Cell>
        <Stat label="Platforms" value={image.platforms.length > 0 ? image.platforms.length : '—'} />
        <p className="mt-1 text-xs text-fg-3">
          {image.platforms.length > 3 ? image.platforms.slice(0, 3).map(platformWords).join(', ') + ', …' : platformsWords(image.platforms)}
        </p>
      </Cell>
      <Cell>
        <Stat label="Pulls" value={image.pulls.toLocaleString('en')} />
        <p className="mt-1 text-xs text-fg-3">by any tag, or by the digest</p>
      </Cell>
      <Cell>
        <Stat label="Tags" value={image.tags.length} />
        <p className="mt-1 truncate text-xs text-fg-3">{image.tags.map(({ name }) => name).join(', ') || 'none names it'}</p>
      </Cell>
    </Frame>
  )
}
