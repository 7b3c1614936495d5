import { useQuery } from '@tanstack/react-query'
import { createWebhook, listWebhookEvents, updateWebhook } from '@masthead/contract/developers/operations'
import { usageHour, type Webhook, type WebhookOnce } from '@masthead/contract/developers/webhook'
import { Controller } from 'react-hook-form'
import { q } from '../api/query.ts'
import { FormModal } from '../kit/FormModal.tsx'
import { FormText } from '../kit/FormField.tsx'
import { MultiSelect } from '../ui/Select.tsx'
import { TagsField } from './form-fields.tsx'

/** The events, each area's whole above its own. */
function useEventOptions() {
  const { data } = useQuery(q(listWebhookEvents, {}))
  const items = data?.items ?? []
  const areas = [...new Set(items.map(({ name }) => name.split('.')[0]!))]
  return [
    { value: '*', label: 'All events' },
    ...areas.flatMap((area) => {
      const own = items.filter(({ name }) => name.startsWith(`${area}.`)).map(({ name }) => ({ value: name, label: name }))
      // Usage is no event, and has no others beside it.
      return own.some(({ value }) => value === usageHour)
        ? own
        : [{ value: `${area}.*`, label: `All ${area.replaceAll('_', ' ')} events` }, ...own]
    }),
  ]
}

function Parts() {
  const options = useEventOptions()
  return (
    <>
      <FormText name="name" label="Name" hint="What it is for: “Ops channel”" />
      <FormText name="url" label="URL" placeholder="https://example.com/hooks" mono inputMode="url" />
      <Controller
        name="events"
        render={({ field, fieldState }) => (
          <MultiSelect
            label="Events"
            options={options}
            search
            placeholder="Choose events"
            value={field.value as string[]}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <TagsField
        name="tags"
        label="Only assets with one of these tags"
        hint="Leave it empty for all assets that you see. Events without an asset are always sent. Choose usage.hour for what each SIM used in each hour: “All events” does not include it."
      />
    </>
  )
}

/** Makes a webhook; its signing secret comes back once. */
export const CreateWebhookModal = ({ onClose, onMade }: { onClose: () => void; onMade: (webhook: WebhookOnce) => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Create webhook"
    operation={createWebhook}
    values={{ name: '', url: '', events: [], tags: [] }}
    submit="Create webhook"
    onDone={onMade}
  >
    <Parts />
  </FormModal>
)

/** Changes where it sends to and what. */
export const EditWebhookModal = ({ webhook, onClose, onDone }: { webhook: Webhook; onClose: () => void; onDone: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Edit webhook"
    operation={updateWebhook}
    values={{ name: webhook.name, url: webhook.url, events: webhook.events, tags: webhook.tags.map((tag) => tag.id) }}
    input={({ tags, ...body }) => ({
      params: { webhook_id: webhook.id },
      // A tag that is gone is no mistake of who changes the address.
      body: JSON.stringify(tags) === JSON.stringify(webhook.tags.map((tag) => tag.id)) ? body : { ...body, tags },
    })}
    submit="Save"
    onDone={onDone}
  >
    <Parts />
  </FormModal>
)
