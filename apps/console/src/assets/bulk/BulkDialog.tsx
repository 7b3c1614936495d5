import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BulkChange } from '@masthead/contract/assets/bulk/bulk'
import { confirmWord, type AlikeAction } from '@masthead/contract/assets/bulk/bulk-action'
import { previewBulkChange, startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Failure } from '../../api/client.ts'
import { q, useOperation } from '../../api/query.ts'
import type { Ticked } from '../../kit/selection.tsx'
import { useTags } from '../../tags/index.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { TagPicker } from '../../ui/TagPicker.tsx'
import { toast } from '../../ui/toast.ts'
import { actionWords, countOf, dangers, doneWords } from './bulk-words.ts'
import { BulkResult } from './BulkResult.tsx'
import { OutcomeLines } from './OutcomeLines.tsx'
import { bodyOf, SettingsFields, settingsFault, startSettings, type Settings } from './SettingsFields.tsx'

/** Of more SIMs than these the number is typed before they are switched. */
const many = 50

type Props = { action: AlikeAction; ticked: Ticked; onClose: () => void }

/** Says what a change of the assets ticked would do, asks, and shows what it did. */
export function BulkDialog({ action, ticked, onClose }: Props) {
  // The list stays as it is beside the results.
  const [params] = useSearchParams()
  const [begun, setBegun] = useState<BulkChange | null>(null)
  const [tags, setTags] = useState<string[]>([])
  const [settings, setSettings] = useState<Settings>(startSettings)
  const ofTags = action === 'add_tags' || action === 'remove_tags'
  const unset = ofTags ? (tags.length === 0 ? 'Choose a tag first' : null) : settingsFault(action, settings)
  const body = {
    action,
    ...(ofTags && { tags }),
    ...bodyOf(action, settings),
    ...(ticked.all ? { filter: ticked.query, except: [...ticked.ids] } : { asset_ids: [...ticked.ids] }),
  }
  const preview = useQuery({
    ...q(previewBulkChange, { body }),
    // What is agreed to is what was read here: the list may go on beneath.
    queryKey: ['bulk', body],
    staleTime: 0,
    gcTime: 0,
    enabled: begun === null && unset === null,
    placeholderData: keepPreviousData,
  })
  const start = useOperation(startBulkChange)
  if (begun) return <BulkResult change={begun} onClose={onClose} />
  const { label } = actionWords[action]
  const word = confirmWord[action]
  const whole = ticked.capped ? 'all that match' : countOf(ticked.count, 'asset')
  const shown = unset ? undefined : preview.data
  const failure = start.error ?? (preview.error as Failure | null)
  return (
    <Confirm
      open
      onClose={onClose}
      title={ofTags ? `${label} ${action === 'add_tags' ? 'to' : 'from'} ${whole}` : `${label}?`}
      confirm={shown && shown.changed > 0 ? confirmWords(body, shown.changed) : label}
      color={dangers.includes(action) ? 'danger' : 'success'}
      loading={start.isPending}
      failure={failure}
      {...(word !== undefined
        ? { typed: word }
        : !ofTags && shown && shown.changed > many && { typed: shown.changed.toLocaleString('en') })}
      blocked={
        unset
          ? unset
          : !shown || preview.isPlaceholderData
            ? 'Wait for the preview'
            : shown.changed === 0
              ? 'None of them would change'
              : null
      }
      onConfirm={() =>
        start.mutate(
          { body: { ...body, ...(ticked.all && { count: shown!.total }), ...(word !== undefined && { confirm: word }) } },
          {
            onSuccess: (change) => {
              ticked.clear()
              if (change.finished_at && change.changed === change.total && change.still_blocked === 0) {
                const results = `/assets?${new URLSearchParams([...params, ['change', change.id]])}`
                toast.success(doneWords(change, change.changed), {
                  link: <Link to={results}>{change.can_undo ? 'Results and undo' : 'Results'}</Link>,
                  timeout: 10_000,
                })
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
      ) : (
        <SettingsFields action={action} settings={settings} onChange={setSettings} />
      )}
      {(shown || (!ofTags && unset === null)) && <OutcomeLines of={{ action }} outcome={shown} />}
    </Confirm>
  )
}

const confirmWords = ({ action, to }: { action: AlikeAction; to?: string | null }, changed: number): string => {
  const sims = countOf(changed, 'SIM')
  return {
    add_tags: `Tag ${countOf(changed, 'asset')}`,
    remove_tags: `Remove from ${countOf(changed, 'asset')}`,
    activate_sim: `Activate ${sims}`,
    deactivate_sim: `Deactivate ${sims}`,
    standby_sim: `Put ${sims} on standby`,
    ready_sim: `Set ${sims} to ready`,
    terminate_sim: `Terminate ${sims}`,
    set_limit: `Set the limit of ${sims}`,
    raise_limit: `Raise the limit of ${sims}`,
    imei_lock: `Set the lock of ${sims}`,
    set_network_group: `Move ${sims}`,
    reset_sim: `Reset ${sims}`,
    switch_on: `Switch on ${countOf(changed, 'asset')}`,
    switch_off: `Switch off ${countOf(changed, 'asset')}`,
    update_agent: `Update ${countOf(changed, 'agent')}`,
    configure_core: `Configure ${countOf(changed, 'device')}`,
    update_core: `Update ${countOf(changed, 'device')}`,
    release: `${to === null ? 'Give back' : 'Hand over'} ${countOf(changed, 'asset')}`,
  }[action]
}

function TagField({ action, chosen, onChange }: { action: AlikeAction; chosen: string[]; onChange: (ids: string[]) => void }) {
  const tags = useTags()
  const making = useOperation(createTag)
  const create = (tag: { name: string; color: string }) =>
    making.mutate(
      { body: tag as never },
      {
        onSuccess: ({ id }) => onChange([...chosen, id]),
        onError: (failed) => toast.failure(failed, { title: 'The tag was not created' }),
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
