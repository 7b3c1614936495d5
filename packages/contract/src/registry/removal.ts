import * as z from 'zod/mini'
import { Bytes } from '../kernel/fields.ts'
import { TagName } from './image.ts'

/** So many tags can be named in one call; all that match are as many as there are. */
export const mostNamedTags = 1000

/** Tags of a repository: those of these names, or without `names` all that `listTags` lists for `search` but those of `except`. */
const chosen = {
  names: z.optional(z.array(TagName).check(z.minLength(1), z.maxLength(mostNamedTags))),
  search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  except: z.optional(z.array(TagName).check(z.maxLength(mostNamedTags))),
}
/**
 * What of the chosen tags goes. `unused`: those that break nothing, with their images. `names`: the names of all, with the images that run nowhere. `all`: the
 * names with their images. Under each an image stays while a tag that was not chosen names it.
 */
export const RemovalKind = z.enum(['unused', 'names', 'all'])
export type RemovalKind = z.output<typeof RemovalKind>

export const TagChoice = z.object(chosen)
export type TagChoice = z.output<typeof TagChoice>

export const RemoveTagsBody = z.extend(TagChoice, {
  what: RemovalKind,
  /** How many were chosen, as the preview said: when others match by now nothing is deleted. */
  count: z.int(),
})
export type RemoveTagsBody = z.output<typeof RemoveTagsBody>

/** Why a tag is not deleted, for programs and in words. */
export const KeptTag = z.object({
  name: z.string(),
  code: z.enum(['protected', 'immutable', 'deployed', 'fleet', 'unknown']),
  why: z.string(),
})
export type KeptTag = z.output<typeof KeptTag>

/** `kept`: the first 100 of those that stay, with why. */
const Outcome = z.object({ tags: z.int(), images: z.int(), freed_bytes: Bytes, stay: z.int(), kept: z.array(KeptTag) })
export type Outcome = z.output<typeof Outcome>

export const RemovalPreview = z.object({
  count: z.int(),
  /** The names of those chosen, the first 100 of them. */
  names: z.array(z.string()),
  unused: Outcome,
  names_only: Outcome,
  all: Outcome,
  /** Devices that could not pull again what they run or are to run; of those that whoever asks may see. */
  devices: z.int(),
  /** There are such devices that whoever asks may not see. */
  more_devices: z.boolean(),
  /** Versions of fleets that could not be rolled out any more, in words. */
  fleets: z.array(z.string()),
  /** Tags that were not chosen and name an image of those chosen: it stays for them. */
  others: z.array(z.object({ name: z.string(), same_as: z.string() })),
})
export type RemovalPreview = z.output<typeof RemovalPreview>

export const RemovalResult = z.object({
  tags: z.int(),
  images: z.int(),
  freed_bytes: Bytes,
  /** Each that stays, with why. */
  kept: z.array(KeptTag),
})
export type RemovalResult = z.output<typeof RemovalResult>

/** Images to which no tag leads, with what they name as an index and what is attached to them. */
export const Untagged = z.object({
  /** Of those that can be deleted. */
  images: z.int(),
  freed_bytes: Bytes,
  /** Of those, how many were pulled by their digest within 30 days. */
  pulled_30_days: z.int(),
  /** Those that are kept, because a device or a fleet needs them. */
  needed: z.int(),
})
export type Untagged = z.output<typeof Untagged>

/** `images`: how many there were, as `getUntagged` said: when there are others by now nothing is deleted. */
export const RemoveUntaggedBody = z.object({ images: z.int() })
export type RemoveUntaggedBody = z.output<typeof RemoveUntaggedBody>

export const UntaggedRemoved = z.object({ images: z.int(), freed_bytes: Bytes })
export type UntaggedRemoved = z.output<typeof UntaggedRemoved>

/** Names of tags, with `*` for any characters: `v*`, `release-*`; before a colon the repository without the account’s name: `app/api:v*`. */
const TagPattern = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(200),
    z.regex(
      /^([a-z0-9*]+([._/-]+[a-z0-9*]+)*:)?[a-zA-Z0-9_*][a-zA-Z0-9._*-]{0,127}$/,
      'Use the name of a tag with * for any characters, like v*, or with the repository before it, like app/api:v*'
    )
  )
export const TagPatterns = z.array(TagPattern).check(z.maxLength(50, 'Use at most 50'))

const glob = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`
  )

/** The first pattern that fits a tag of a repository, which is without the slug: read once for all its tags. */
export function patternFor(patterns: readonly string[], repository: string): (tag: string) => string | null {
  const own = patterns.flatMap((pattern) => {
    const colon = pattern.indexOf(':')
    return colon < 0 || glob(pattern.slice(0, colon)).test(repository) ? [{ pattern, ofTag: glob(pattern.slice(colon + 1)) }] : []
  })
  return (tag) => own.find(({ ofTag }) => ofTag.test(tag))?.pattern ?? null
}
