import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { GroupFields, GroupPreview, NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { createNetworkGroup, previewNetworkGroup, updateNetworkGroup } from '@masthead/contract/network-groups/operations'
import { useDeferredValue } from 'react'
import type { Failure } from '../api/client.ts'
import { q, useOperation } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { toast } from '../ui/toast.ts'
import { effectWords, simsOf, takesService } from './effect-words.ts'

/** Floats over the foot while something is not saved: whom it affects, who is cut, and who would find no operator. */
export function SaveBar({
  group,
  changes,
  onDiscard,
  onSaved,
}: {
  group: NetworkGroup | null
  changes: GroupFields | null
  onDiscard: () => void
  onSaved: (id: string) => void
}) {
  const asked = useDeferredValue(changes)
  const { name: _, ...rules } = asked ?? {}
  const preview = useQuery({
    ...q(previewNetworkGroup, { params: { network_group_id: group?.id ?? '' }, body: rules }),
    // Counts of now: not kept, and not asked for before something is to be saved.
    queryKey: ['network_groups', 'preview', group?.id, rules],
    enabled: group !== null && asked !== null,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  const create = useOperation(createNetworkGroup)
  const update = useOperation(updateNetworkGroup)
  if (changes === null) return null
  const effect = group ? preview.data : null
  const failure = create.error ?? update.error ?? (preview.error as Failure | null)
  const done = (saved: NetworkGroup) => {
    toast.success(group ? 'Saved. It applies from now on.' : 'The group is created')
    onSaved(saved.id)
  }
  const save = () =>
    group
      ? update.mutate({ params: { network_group_id: group.id }, body: changes }, { onSuccess: done })
      : create.mutate({ body: { ...changes, name: changes.name ?? '' } }, { onSuccess: done })
  const warns = effect !== null && effect !== undefined && takesService(effect)
  return (
    <div
      role="region"
      aria-label="Unsaved changes"
      className={`sticky bottom-4 z-15 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border bg-raised px-4 py-3 shadow-float ${warns ? 'border-warn-line' : 'border-line-2'}`}
    >
      <div className="min-w-56 flex-1" aria-live="polite">
        {group ? (
          effect ? (
            <Effect of={effect} warns={warns} />
          ) : (
            <p className="text-fg-2">{preview.error ? 'Who is affected could not be counted.' : 'Counting who is affected…'}</p>
          )
        ) : (
          <p>Not created yet.</p>
        )}
        {failure && (
          <div className="mt-2">
            <FailureNotice of={failure}>{Object.values(failure.fields ?? {})[0]}</FailureNotice>
          </div>
        )}
      </div>
      <div className="ml-auto flex flex-wrap gap-2">
        <Button color="ghost" onClick={onDiscard}>
          Discard
        </Button>
        <Button
          color="primary-solid"
          loading={create.isPending || update.isPending}
          disabled={(changes.name ?? group?.name ?? '').trim() === '' ? 'Give the group a name first' : null}
          onClick={save}
        >
          {!group ? 'Create group' : effect && effect.cut > 0 ? `Save and cut ${effect.cut.toLocaleString('en')}` : 'Save'}
        </Button>
      </div>
    </div>
  )
}

function Effect({ of, warns }: { of: GroupPreview; warns: boolean }) {
  const { sims, cut } = of
  const more = effectWords(of, 'Their sessions are cut when you save.')
  return (
    <div className="flex gap-2.5">
      {warns && <StateShape shape="triangle" tone="warn" className="mt-1" />}
      <div className="min-w-0">
        <p className="font-medium">
          {sims === 0 ? 'No SIM is affected' : `${simsOf(sims)} affected`}
          {cut > 0 && `, ${cut.toLocaleString('en')} attached to what you remove`}
        </p>
        {more.length > 0 && <p className="text-xs text-fg-2 text-pretty">{more.join(' ')}</p>}
      </div>
    </div>
  )
}
