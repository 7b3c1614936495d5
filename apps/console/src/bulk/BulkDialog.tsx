import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BulkChange } from '@masthead/contract/assets/bulk'
import type { BulkAction } from '@masthead/contract/assets/bulk-action'
import { previewBulkChange, startBulkChange } from '@masthead/contract/assets/bulk-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { useState } from 'react'
import type { Failure } from '../api/client.ts'
import { q, useOperation } from '../api/query.ts'
import type { Ticked } from '../kit/selection.tsx'
import { GroupSelect } from '../network-groups/index.ts'
import { useTags } from '../tags/index.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { FailureWords } from '../ui/FailureNotice.tsx'
import { TagPicker } from '../ui/TagPicker.tsx'
import { toast } from '../ui/toast.ts'
import { actionWords, countOf, doneWords } from './bulk-words.ts'
import { BulkResult } from './BulkResult.tsx'
import { OutcomeLines } from './OutcomeLines.tsx'

/** Of more SIMs than these the number is typed before they are switched. */
const many = 50

type Props = { action: BulkAction; ticked: Ticked; onClose: () => void }

/** Says what a change of the assets ticked would do, asks, and shows what it did. */
export function BulkDialog({ action, ticked, onClose }: Props) {
  const [begun, setBegun] = useState<BulkChange | null>(null)
  const [tags, setTags] = useState<string[]>([])
  const [group, setGroup] = useState<string | null>(null)
  const ofGroup = action === 'set_network_group'
  const ofTags = action === 'add_tags' || action === 'remove_tags'
  const body = {
    action,
    ...(ofTags && { tags }),
    ...(group !== null && { network_group: group }),
    ...(ticked.all ? { filter: ticked.query, except: [...ticked.ids] } : { asset_ids: [...ticked.ids] }),
  }
  const missing = ofTags && tags.length === 0 ? 'Choose a tag first' : ofGroup && group === null ? 'Choose a group first' : null
  const preview = useQuery({
    ...q(previewBulkChange, { body }),
    // What is agreed to is what was read here: the list may go on beneath.
    queryKey: ['bulk', body],
    staleTime: 0,
    gcTime: 0,
    enabled: begun === null && missing === null,
    placeholderData: keepPreviousData,
  })
  const start = useOperation(startBulkChange)
  if (begun) return <BulkResult change={begun} onClose={onClose} />
  const { label } = actionWords[action]
  const whole = ticked.capped ? 'all that match' : countOf(ticked.count, 'asset')
  const shown = missing === null ? preview.data : undefined
  const failure = start.error ?? (preview.error as Failure | null)
  return (
    <Confirm
      open
      onClose={onClose}
      title={ofTags ? `${label} ${action === 'add_tags' ? 'to' : 'from'} ${whole}` : `${label}?`}
      confirm={shown && shown.changed > 0 ? confirmWords(action, shown.changed) : label}
      color={action === 'deactivate_sim' ? 'danger' : 'success'}
      loading={start.isPending}
      failure={failure}
      {...(!ofTags && !ofGroup && shown && shown.changed > many && { typed: String(shown.changed) })}
      blocked={
        missing !== null
          ? missing
          : !shown || preview.isPlaceholderData
            ? 'Wait for the preview'
            : shown.changed === 0
              ? 'None of them would change'
              : null
      }
      onConfirm={() =>
        start.mutate(
          { body: { ...body, ...(ticked.all && { count: shown!.total }) } },
          {
            onSuccess: (change) => {
              ticked.clear()
              if (change.finished_at && change.changed === change.total && change.still_blocked === 0) {
                toast.success(doneWords(action, change.changed))
                onClose()
              } else setBegun(change)
            },
            // Something else matches by now: what it would change is read anew.
            onError: () => void preview.refetch(),
          }
        )
      }
    >
      {ofTags ? (
        <TagField action={action} chosen={tags} onChange={setTags} />
      ) : ofGroup ? (
        <GroupSelect value={group} onChange={setGroup} />
      ) : (
        <SimWords action={action} />
      )}
      {(shown || (!ofTags && !ofGroup)) && <OutcomeLines action={action} outcome={shown} />}
    </Confirm>
  )
}

const confirmWords = (action: BulkAction, changed: number) =>
  ({
    add_tags: `Tag ${countOf(changed, 'asset')}`,
    remove_tags: `Remove from ${countOf(changed, 'asset')}`,
    activate_sim: `Activate ${countOf(changed, 'SIM')}`,
    deactivate_sim: `Deactivate ${countOf(changed, 'SIM')}`,
    set_network_group: `Move ${countOf(changed, 'SIM')}`,
  })[action]

const SimWords = ({ action }: { action: BulkAction }) =>
  action === 'activate_sim' ? (
    <p>The network accepts them from now on. A session starts when a device connects.</p>
  ) : (
    <p>
      Live sessions are <b className="font-medium text-fg">cut at once</b>, and new ones are rejected until the SIMs are activated again.
      The SIMs keep their numbers, their tags and their usage.
    </p>
  )

function TagField({ action, chosen, onChange }: { action: BulkAction; chosen: string[]; onChange: (ids: string[]) => void }) {
  const tags = useTags()
  const making = useOperation(createTag)
  const create = (tag: { name: string; color: string }) =>
    making.mutate(
      { body: tag as never },
      {
        onSuccess: ({ id }) => onChange([...chosen, id]),
        onError: (failed) => toast.error(<FailureWords of={failed} />, { title: 'The tag was not created' }),
      }
    )
  return (
    <TagPicker
      label="Tags"
      placeholder={action === 'add_tags' ? 'Find or create a tag' : 'Find a tag'}
      tags={tags ?? []}
      chosen={chosen}
      onChange={onChange}
      max={50}
      {...(action === 'add_tags' && { onCreate: create })}
    />
  )
}
