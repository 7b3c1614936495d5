import { useQuery } from '@tanstack/react-query'
import { deleteImage, getImage } from '@masthead/contract/registry/operations'
import { mostNamedTags } from '@masthead/contract/registry/removal'
import { previewRemoval } from '@masthead/contract/registry/removal-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Failure } from '../api/client.ts'
import { q, useOperation } from '../api/query.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { partsOf } from './registry-words.ts'
import { WhatBreaks } from './WhatBreaks.tsx'

type Props = {
  repository: { id: string; name: string }
  /** `name`: what the image is called here. */
  of: { name: string; digest: string }
  onClose: () => void
  gone?: (() => void) | undefined
}

/** Says which tags are deleted with an image and what that would break, and asks. */
export function DeleteImageDialog({ repository, of: { name, digest }, onClose, gone }: Props) {
  const params = { repository_id: repository.id }
  const image = useQuery(q(getImage, { params: { ...params, digest } }))
  const tags = image.data?.tags.map((tag) => tag.name)
  const choice = { names: tags?.slice(0, mostNamedTags) ?? [] }
  const preview = useQuery({
    ...q(previewRemoval, { params, body: choice }),
    queryKey: ['removal', repository.id, choice],
    staleTime: 0,
    gcTime: 0,
    enabled: choice.names.length > 0,
  })
  const deleting = useOperation(deleteImage)
  const shown = preview.data
  const breaks = shown ? shown.devices > 0 || shown.more_devices || shown.fleets.length > 0 : false
  const [kept] = shown?.all.kept ?? []
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete the image of ${name}?`}
      confirm="Delete image"
      color="danger"
      loading={deleting.isPending}
      failure={deleting.error ?? (preview.error as Failure | null) ?? (image.error as Failure | null)}
      blocked={!tags || (tags.length > 0 && !shown) ? 'Wait for the preview' : kept ? `The tag ${kept.name} stays. ${kept.why}` : null}
      {...(breaks && { typed: partsOf(repository.name).image })}
      onConfirm={() =>
        deleting.mutate(
          { params: { ...params, digest } },
          {
            onSuccess: (done) => {
              toast.success(deletedWords(done))
              onClose()
              gone?.()
            },
          }
        )
      }
    >
      {tags && (
        <p className="wrap-anywhere">
          {tagsGone(tags)} {shown && `That frees ${formatBytes(shown.all.freed_bytes)}. `}
          The images of its platforms and what is attached to it, such as signatures, are deleted with it, unless something else needs them.
        </p>
      )}
      {shown ? (
        <WhatBreaks preview={shown} />
      ) : (
        (!tags || tags.length > 0) && !preview.error && !image.error && <Skeleton className="h-16" />
      )}
    </Confirm>
  )
}

const tagsGone = (tags: readonly string[]): string => {
  const [one] = tags
  if (one === undefined) return 'No tag names it.'
  return tags.length === 1 ? `Its tag ${one} is deleted with it.` : `These tags name it and are deleted with it: ${tags.join(', ')}.`
}

const deletedWords = ({ tags, images }: { tags: readonly string[]; images: number }): string => {
  const also = images === 0 ? '' : images === 1 ? ', and one image of it' : `, and ${images} images of it`
  return `${tags.length > 1 ? `Deleted the image with the tags ${tags.join(', ')}` : 'Deleted the image'}${also}`
}
