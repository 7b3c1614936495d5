import { useQuery } from '@tanstack/react-query'
import { getRegistry } from '@masthead/contract/registry/operations'
import { q } from '../api/query.ts'

/**
 * The account's own name in the registry, where an address has another one and nothing was found there: an address of somebody else's account falls back to
 * one's own, and shows nothing of theirs. Undefined while that is looked up.
 */
export function useOwnSlug(username: string, missing: boolean): string | null | undefined {
  const { data, error } = useQuery({ ...q(getRegistry, {}), enabled: missing })
  if (!missing || error) return null
  if (!data) return undefined
  return data.slug === username ? null : data.slug
}
