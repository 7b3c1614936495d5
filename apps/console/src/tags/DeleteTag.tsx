import { deleteTag } from '@masthead/contract/tags/operations'
import type { Tag } from '@masthead/contract/tags/tag'
import { useOperation } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'

/** Asks before a tag goes from the account. */
export function DeleteTag({ tag, onDone, onCancel }: { tag: Tag; onDone: () => void; onCancel: () => void }) {
  const mutation = useOperation(deleteTag)
  const count = tag.asset_count
  return (
    <div className="grid gap-3 p-2">
      <p className="text-pretty">
        Delete the tag <b className="font-medium wrap-anywhere">{tag.name}</b>?{' '}
        {count === 0
          ? 'No asset has it.'
          : `It will be removed from ${count === 1 ? 'one asset' : `${count.toLocaleString('en')} assets`}.`}{' '}
        Team members who are limited to it and other tags will see fewer assets. It cannot be deleted while a member is limited to it alone.
      </p>
      {mutation.error && <FailureNotice of={mutation.error} />}
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onCancel} disabled={mutation.isPending}>
          Cancel
        </Button>
        <Button
          size="small"
          color="danger"
          autoFocus
          loading={mutation.isPending}
          onClick={() => mutation.mutate({ params: { tag_id: tag.id } }, { onSuccess: onDone })}
        >
          Delete tag
        </Button>
      </div>
    </div>
  )
}
