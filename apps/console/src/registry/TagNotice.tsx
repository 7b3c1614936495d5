import { useQuery } from '@tanstack/react-query'
import { platformWords, type Image } from '@masthead/contract/registry/image'
import { listTags } from '@masthead/contract/registry/operations'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { Notice } from '../ui/Notice.tsx'
import { repositoryHref, subjectOf, tagHref } from './registry-words.ts'

/** What an image is to the tag of its page, where the tag does not name it; and to which image something is attached. */
export function TagNotice({ image, tag, named }: { image: Image; tag: string; named: boolean }) {
  const { repository_id, repository, platforms, needed_by } = image
  const subject = subjectOf(image)
  const { data, error } = useQuery({
    ...q(listTags, { params: { repository_id }, query: { name: tag, page_size: 1 } }),
    enabled: !named && subject === null,
  })
  const to = (digest: string, words: ReactNode) => (
    <Link className="link" to={tagHref(repository, tag, digest)}>
      {words}
    </Link>
  )
  if (subject !== null)
    return (
      <Words>
        This is attached to {to(subject, 'an image')}: <span className="mono wrap-anywhere">{subject}</span>
      </Words>
    )
  // An address may have anything in the place of a tag.
  if (named || (!data && error?.status !== 400)) return null
  const now = data?.items[0]
  if (!now)
    return (
      <Words>
        This repository has no tag {tag}.{' '}
        <Link className="link" to={repositoryHref(repository)}>
          All tags
        </Link>
      </Words>
    )
  if (needed_by.includes(now.digest))
    return (
      <Words>
        This is one of the images of {tag}
        {platforms[0] && `: the one for ${platformWords(platforms[0])}`}. {to(now.digest, `All of ${tag}`)}
      </Words>
    )
  return (
    <Words>
      The tag {tag} names {to(now.digest, 'another image')} by now.
    </Words>
  )
}

const Words = ({ children }: { children: ReactNode }) => (
  <div className="mb-4">
    <Notice tone="info">{children}</Notice>
  </div>
)
