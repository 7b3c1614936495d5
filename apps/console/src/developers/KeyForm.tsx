import { usualCallsPerMinute, type ApiKey, type ApiKeyOnce } from '@masthead/contract/developers/api-key'
import { createApiKey, updateApiKey } from '@masthead/contract/developers/operations'
import { FormModal } from '../kit/FormModal.tsx'
import { FormLines } from '../kit/FormLines.tsx'
import { FormNumber, FormText } from '../kit/FormField.tsx'
import { EndField } from '../kit/span-fields.tsx'
import { TagsField } from './form-fields.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'

const parts = (
  <>
    <FormText name="name" label="Name" hint="What it is for: “Warehouse sync”" />
    <ScopeChoice name="scopes" />
    <TagsField name="tags" label="Only assets with one of these tags" />
    <div className="grid gap-4 @sm:grid-cols-2">
      <EndField name="expires_at" label="Expires" />
      <FormNumber name="calls_per_minute" label="Calls per minute" min={1} max={6000} decimals={0} />
    </div>
    <FormLines
      name="addresses"
      label="Allowed IP addresses"
      placeholder={'203.0.113.0/24\n2001:db8::/32'}
      hint="One address or CIDR range per line, IPv4 or IPv6. Leave it empty to allow any."
    />
  </>
)

/** Makes a key; its secret comes back once. */
export const CreateKeyModal = ({ onClose, onMade }: { onClose: () => void; onMade: (key: ApiKeyOnce) => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Create API key"
    size="large"
    operation={createApiKey}
    values={{ name: '', scopes: [], tags: [], addresses: [], expires_at: null, calls_per_minute: usualCallsPerMinute }}
    submit="Create key"
    onDone={onMade}
  >
    {parts}
  </FormModal>
)

/** Changes what a key is called and may. */
export const EditKeyModal = ({ apiKey, onClose, onDone }: { apiKey: ApiKey; onClose: () => void; onDone: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Edit API key"
    size="large"
    operation={updateApiKey}
    values={{
      name: apiKey.name,
      scopes: apiKey.scopes as never,
      tags: apiKey.tags.map((tag) => tag.id),
      addresses: apiKey.addresses,
      expires_at: apiKey.expires_at,
      calls_per_minute: apiKey.calls_per_minute,
    }}
    input={(body) => ({ params: { api_key_id: apiKey.id }, body: changesOf(apiKey, body) as never })}
    submit="Save"
    onDone={onDone}
  >
    {parts}
  </FormModal>
)

/** Only what was changed: an end that has passed, or a tag that is gone, is no mistake of who renames a key. */
function changesOf(key: ApiKey, body: object): object {
  const before: Record<string, unknown> = { ...key, tags: key.tags.map((tag) => tag.id) }
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])))
}
