import { useQuery } from '@tanstack/react-query'
import { getRepository, listTags } from '@masthead/contract/registry/operations'
import { mostNamedTags } from '@masthead/contract/registry/removal'
import { removeTags } from '@masthead/contract/registry/removal-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { History, Tag, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, Navigate, useParams } from 'react-router'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { later } from '../kit/later.tsx'
import { NotThere } from '../kit/NotThere.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import type { Ticked } from '../kit/selection.tsx'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { UsedBy } from './DeployedPanel.tsx'
import { PushSnippet } from './PushSnippet.tsx'
import { tagColumns } from './registry-columns.tsx'
import { pullsWords, repositoryHref, tagHref, tagsWords } from './registry-words.ts'
import { UntaggedNotice } from './UntaggedNotice.tsx'
import { useOwnSlug } from './use-own-slug.ts'
import { useTagActions } from './use-tag-actions.tsx'

const RemoveTagsDialog = later(() => import('./RemoveTagsDialog.tsx').then((file) => file.RemoveTagsDialog))
const tooMany = `You can select ${mostNamedTags.toLocaleString('en')} at most: narrow the list and select all that match`

const way = [{ label: 'Registry', to: '/registry' }]

/** The tags of one repository, the newest first. An address with an account's name alone leads to all repositories of the signed-in account. */
export default function RepositoryScreen() {
  const { username = '', image } = useParams()
  return image === undefined ? <Navigate replace to="/registry" /> : <OneRepository username={username} image={image} />
}

function OneRepository({ username, image }: { username: string; image: string }) {
  const name = `${username}/${image}`
  const { data, error, refetch } = useQuery(q(getRepository, { params: { repository_id: name } }))
  const { items, dialog } = useTagActions(data)
  const own = useOwnSlug(username, !data && error?.status === 404)
  const [removing, setRemoving] = useState<Ticked | null>(null)
  const denied = useDenied()
  const columns = useMemo(() => tagColumns(name), [name])
  if (own) return <Navigate replace to={repositoryHref(`${own}/${image}`)} />
  if (own === undefined) return null
  if (error && !data)
    return (
      <>
        <Banner title={image} crumbs={<Breadcrumbs way={way} here={name} named />} />
        {error.status === 404 ? (
          <NotThere title="No such repository" to="/registry" way="All repositories">
            This account has no repository <span className="mono wrap-anywhere">{name}</span>.
          </NotThere>
        ) : (
          <ErrorState title="The repository could not be loaded" failure={error} onRetry={() => void refetch()} />
        )}
      </>
    )
  return (
    <>
      <Banner
        title={name}
        crumbs={<Breadcrumbs way={way} here={name} named />}
        end={
          <LinkButton as={Link} to={`/registry/retention?repository=${encodeURIComponent(name)}`} icon={History} color="secondary">
            Retention
          </LinkButton>
        }
        meta={
          data && (
            <>
              <span>{tagsWords(data.tags)}</span>
              <span>{formatBytes(data.size_bytes)}</span>
              <span>{pullsWords(data.pulls)}</span>
              <UsedBy repository={data} />
            </>
          )
        }
      />
      {data && <UntaggedNotice repository={data} />}
      <QueryTable
        operation={listTags}
        input={{ params: { repository_id: name } }}
        label="Tags"
        defaultSort="-pushed_at"
        columns={columns}
        rowId={(tag) => tag.name}
        rowName={(tag) => tag.name}
        rowHref={(tag) => tagHref(name, tag.name, tag.digest)}
        rowActions={(tag) => items(tag)}
        bulkActions={(ticked) => (
          <Button
            color="on-ink"
            size="small"
            icon={Trash2}
            disabled={denied(removeTags) ?? (ticked.ids.length > mostNamedTags ? tooMany : null)}
            onClick={() => setRemoving(ticked)}
          >
            Delete
          </Button>
        )}
        search="Tag or digest"
        live
        empty={
          <EmptyState
            icon={Tag}
            title="No data found"
            actions={
              <div className="w-full max-w-[640px] min-w-0 text-left">
                <PushSnippet slug={username} repository={name} />
              </div>
            }
          >
            Nothing in this repository has a name. Push an image to it:
          </EmptyState>
        }
      />
      {dialog}
      {removing && data && <RemoveTagsDialog repository={data} ticked={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}
