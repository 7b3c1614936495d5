import { digestPattern as ownDigest } from '@masthead/contract/registry/image-reference'
import { Refusal } from './refusal.ts'

/** Names, tags and digests as the distribution specification has them (§ Pulling manifests). */
const part = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const namePattern = new RegExp(`^${part}(?:/${part})*$`)
const tagPattern = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/
const digestPattern = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$/
const longestName = 255

/** What stands behind `/v2/`. `name`: of the repository, the account's slug first. */
export type Address = { name: string } & (
  | { of: 'blob'; digest: string }
  | { of: 'uploads' }
  | { of: 'upload'; id: string }
  | { of: 'manifest'; reference: string }
  | { of: 'tags' }
  | { of: 'referrers'; digest: string }
)

const forms: [RegExp, (name: string, last: string) => Address][] = [
  [/^(.+)\/blobs\/uploads\/?$/, (name) => ({ name, of: 'uploads' })],
  [/^(.+)\/blobs\/uploads\/([^/]+)$/, (name, id) => ({ name, of: 'upload', id })],
  [/^(.+)\/blobs\/([^/]+)$/, (name, digest) => ({ name, of: 'blob', digest })],
  [/^(.+)\/manifests\/([^/]+)$/, (name, reference) => ({ name, of: 'manifest', reference })],
  [/^(.+)\/tags\/list\/?$/, (name) => ({ name, of: 'tags' })],
  [/^(.+)\/referrers\/([^/]+)$/, (name, digest) => ({ name, of: 'referrers', digest })],
]

/** Null: nothing of the protocol. Throws NAME_INVALID. */
export function readAddress(path: string): Address | null {
  for (const [form, make] of forms) {
    const [, name, last = ''] = form.exec(path) ?? []
    if (name === undefined) continue
    if (name.length > longestName || !namePattern.test(name))
      throw new Refusal('NAME_INVALID', `“${name.slice(0, 100)}” is no name of a repository`)
    return make(name, last)
  }
  return null
}

export const isDigest = (reference: string): boolean => digestPattern.test(reference)
export const isTag = (reference: string): boolean => tagPattern.test(reference)
/** One that we count with: by the algorithms that the image specification registers. */
export const isOwnDigest = (digest: string): boolean => ownDigest.test(digest)
export const isName = (name: string): boolean => name.length <= longestName && namePattern.test(name)

/** Throws DIGEST_INVALID for what is none, or none of ours. */
export function needDigest(digest: string | undefined): string {
  if (digest === undefined || !isDigest(digest))
    throw new Refusal('DIGEST_INVALID', 'A digest is sha256: and 64 hexadecimal digits, or sha512: and 128')
  if (!isOwnDigest(digest)) throw new Refusal('DIGEST_INVALID', 'This registry counts with sha256, and with sha512')
  return digest
}

/** One that is asked for. Of an algorithm that this registry does not count with, there is nothing. Throws DIGEST_INVALID for what is none. */
export const askedDigest = (digest: string): string => (isDigest(digest) && !/^sha(256|512):/.test(digest) ? digest : needDigest(digest))

/** By which a digest was counted. */
export const algorithmOf = (digest: string): 'sha256' | 'sha512' => (digest.startsWith('sha512:') ? 'sha512' : 'sha256')
