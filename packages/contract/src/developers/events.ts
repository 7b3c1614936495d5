import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const key = z.object({ api_key_id: z.string(), api_key_name: z.string() })
/** What a key may, as far as it matters to whoever reads the log. */
const granted = z.object({
  scopes: z.array(z.string()),
  tags: z.array(z.string()),
  addresses: z.array(z.string()),
  expires_at: z.nullable(z.string()),
  calls_per_minute: z.int(),
})

export const apiKeyCreated = event({
  name: 'developers.api_key_created',
  detail: z.extend(key, granted.shape),
  sentence: 'Created API key {api_key_name}',
})
export const apiKeyUpdated = event({
  name: 'developers.api_key_updated',
  detail: z.extend(key, { old_name: z.string(), new_name: z.string(), before: granted, after: granted }),
  sentence: ({ old_name, new_name }) =>
    old_name === new_name ? 'Changed API key {api_key_name}' : 'Renamed API key {old_name} to {new_name}',
})
export const apiKeyRotated = event({
  name: 'developers.api_key_rotated',
  detail: z.extend(key, { overlap_hours: z.int() }),
  sentence: 'Rotated API key {api_key_name}',
})
export const apiKeyDisabled = event({
  name: 'developers.api_key_disabled',
  detail: key,
  sentence: 'Disabled API key {api_key_name}',
})
export const apiKeyEnabled = event({
  name: 'developers.api_key_enabled',
  detail: key,
  sentence: 'Enabled API key {api_key_name}',
})
export const apiKeyDeleted = event({
  name: 'developers.api_key_deleted',
  detail: key,
  sentence: 'Deleted API key {api_key_name}',
})
