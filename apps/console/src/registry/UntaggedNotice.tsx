import { useQuery } from '@tanstack/react-query'
import type { Untagged } from '@masthead/contract/registry/removal'
import { getUntagged, removeUntagged } from '@masthead/contract/registry/removal-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { q } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { FailureWords } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'
import { imagesWords } from './registry-words.ts'

type Props = { repository: { id: string; name: string } }

/** How many images of a repository have no tag, as the list of tags shows none of them, with a button that deletes them. Nothing where each has one. */
export function UntaggedNotice({ repository }: Props) {
  const params = { repository_id: repository.id }
  const { data, error, refetch } = useQuery(q(getUntagged, { params }))
  const [asked, ask] = useState<Untagged | null>(null)
  return (
    <>
      {data ? (
        <Counted untagged={data} onDelete={() => void refetch().then(({ data: now }) => ask(now && now.images > 0 ? now : null))} />
      ) : (
        error && (
          <Notice tone="warn" strip>
            Images without a tag could not be counted: <FailureWords of={error} />
          </Notice>
        )
      )}
      {asked && (
        <ConfirmCall
          onClose={() => ask(null)}
          operation={removeUntagged}
          input={{ params, body: { images: asked.images } }}
          title={`Delete ${imagesWords(asked.images)} without a tag?`}
          confirm={`Delete ${imagesWords(asked.images)}`}
          color="danger"
          onDone={({ images, freed_bytes }) => toast.success(`Deleted ${imagesWords(images)}, which frees ${formatBytes(freed_bytes)}`)}
        >
          <p>
            What is deleted has no tag of {repository.name}, and no device and no fleet needs it. That frees{' '}
            {formatBytes(asked.freed_bytes)}; what it shares with other images is kept.
          </p>
          {asked.pulled_30_days > 0 && (
            <p>
              {asked.pulled_30_days === 1 ? '1 of them was' : `${asked.pulled_30_days.toLocaleString('en')} of them were`} pulled within the
              last 30 days. Whoever pulls by the digest cannot do so again.
            </p>
          )}
        </ConfirmCall>
      )}
    </>
  )
}

function Counted({ untagged: { images, freed_bytes, needed }, onDelete }: { untagged: Untagged; onDelete: () => void }) {
  if (images + needed === 0) return null
  const kept = `${needed === 1 ? 'is kept, because a device or a fleet needs it' : 'are kept, because devices or fleets need them'}.`
  if (images === 0)
    return (
      <Notice tone="info" strip>
        {imagesWords(needed)} without a tag {kept}
      </Notice>
    )
  return (
    <Notice
      tone="info"
      strip
      action={
        <ActionButton operation={removeUntagged} size="small" onClick={onDelete}>
          Delete images without a tag
        </ActionButton>
      }
    >
      {imagesWords(images)} without a tag {images === 1 ? 'takes' : 'take'} {formatBytes(freed_bytes)}.
      {needed > 0 && ` ${imagesWords(needed)} more ${kept}`}
    </Notice>
  )
}
