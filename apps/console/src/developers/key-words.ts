import { apiRoot } from '../api/client.ts'
import type { ApiKey } from '@masthead/contract/developers/api-key'
import { permissions, type Permission } from '@masthead/contract/kernel/permission'
import type { Status } from '../ui/status.ts'

export const keyStates = { active: 'Active', disabled: 'Disabled', expired: 'Expired' } as const
const looks: Record<ApiKey['state'], Status> = { active: 'active', disabled: 'inactive', expired: 'terminated' }
export const keyLook = (state: ApiKey['state']) => ({ status: looks[state], label: keyStates[state] })

/** What a scope allows, in words; a name we have no words for stands as it is. */
export const scopeWords = (scope: string): string => permissions[scope as Permission] ?? scope

/** How much a key may, in a few words. */
export function scopesWords(scopes: readonly string[]): string {
  if (scopes.length === Object.keys(permissions).length) return 'All permissions'
  if (scopes.length > 1 && scopes.every((scope) => scope.endsWith('.view'))) return `Read-only, ${scopes.length} permissions`
  return scopes.length === 1 ? scopeWords(scopes[0]!) : `${scopes.length} permissions`
}

/** The places a key may be used from and the assets it sees, where that is limited. */
export function limitWords({ addresses, tags }: Pick<ApiKey, 'addresses' | 'tags'>): string[] {
  return [
    ...(tags.length > 0 ? [tags.length === 1 ? `tag ${tags[0]!.name ?? 'deleted'}` : `${tags.length} tags`] : []),
    ...(addresses.length > 0 ? [addresses.length === 1 ? addresses[0]! : `${addresses.length} addresses`] : []),
  ]
}

/** A call that shows that a key works. */
export const exampleCurl = (secret: string) => `curl ${new URL(`${apiRoot}/account`, location.origin).href} \\\n  -H 'X-Api-Key: ${secret}'`
