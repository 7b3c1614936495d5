import * as z from 'zod/mini'
import { Name, Time } from '../kernel/fields.ts'
import { permissions, type Permission } from '../kernel/permission.ts'

/** What a key may be given: the permissions of the account. */
export const Scope = z.enum(Object.keys(permissions) as [Permission, ...Permission[]])
/** An address or a range in CIDR form, of IPv4 or IPv6. The server looks closer. */
export const AddressRange = z
  .string()
  .check(z.trim(), z.regex(/^[0-9a-fA-F:.]{2,45}(\/\d{1,3})?$/, 'Enter an address or a range, like 203.0.113.0/24 or 2001:db8::/32'))

export const ApiKeyState = z.enum(['active', 'disabled', 'expired'])
export type ApiKeyState = z.output<typeof ApiKeyState>

/** Calls a minute of a key that was made without a limit of its own. */
export const usualCallsPerMinute = 600

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters of the key, to know it again. */
  prefix: z.string(),
  state: ApiKeyState,
  scopes: z.array(z.string()),
  /** Tags that limit which assets it sees; none: all that its maker sees. `name` is null when the tag is gone. */
  tags: z.array(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  /** Addresses it may be used from; none: from anywhere. */
  addresses: z.array(z.string()),
  expires_at: z.nullable(Time),
  calls_per_minute: z.int(),
  /** Its maker: a key never may more than its maker may now. */
  created_by: z.string(),
  created_at: Time,
  /** Scopes that its maker no longer has, so that the key does not have them either. */
  lost_scopes: z.array(z.string()),
  last_used_at: z.nullable(Time),
  last_used_ip: z.nullable(z.string()),
  rotated_at: z.nullable(Time),
  /** After a rotation: what it was before still works until then. */
  previous: z.nullable(z.object({ prefix: z.string(), expires_at: Time })),
})
export type ApiKey = z.output<typeof ApiKey>

/** A key as it is handed out, once: `secret` goes into the header X-Api-Key and cannot be shown again. */
export const ApiKeyOnce = z.extend(ApiKey, { secret: z.string() })
export type ApiKeyOnce = z.output<typeof ApiKeyOnce>

const fields = {
  name: Name,
  scopes: z.array(Scope).check(z.minLength(1, 'Choose at least one permission'), z.maxLength(100)),
  tags: z.array(z.string().check(z.maxLength(120))).check(z.maxLength(50, 'Use at most 50 tags')),
  addresses: z.array(AddressRange).check(z.maxLength(50, 'Use at most 50 addresses')),
  expires_at: z.nullable(Time),
  calls_per_minute: z.int({ error: 'Enter a whole number' }).check(z.minimum(1, 'At least 1'), z.maximum(6000, 'At most 6,000')),
}

export const CreateApiKeyBody = z.object({
  name: fields.name,
  scopes: fields.scopes,
  tags: z._default(fields.tags, []),
  addresses: z._default(fields.addresses, []),
  expires_at: z._default(fields.expires_at, null),
  calls_per_minute: z._default(fields.calls_per_minute, usualCallsPerMinute),
})
export const UpdateApiKeyBody = z.partial(z.object(fields))
export const RotateApiKeyBody = z.object({
  /** How long the key as it was still works beside the new one. */
  overlap_hours: z._default(
    z.int({ error: 'Enter whole hours' }).check(z.minimum(0, 'At least 0'), z.maximum(168, 'At most 168 hours')),
    24
  ),
})
