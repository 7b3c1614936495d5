import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { Registry } from './image.ts'
import { registrySuspended, tagsChanged, untaggedChanged } from './problems.ts'
import {
  RemovalPreview,
  RemovalResult,
  RemoveTagsBody,
  RemoveUntaggedBody,
  TagChoice,
  TagPatterns,
  Untagged,
  UntaggedRemoved,
} from './removal.ts'

export const previewRemoval = operation({
  name: 'registry.previewRemoval',
  method: 'POST',
  path: '/registry/repositories/{repository_id}/tags/removal/preview',
  summary: 'What deleting tags would free, and what it would break',
  access: 'registry.edit',
  body: TagChoice,
  reply: RemovalPreview,
  problems: [notFound],
})

/** Each tag that stays is answered with why. */
export const removeTags = operation({
  name: 'registry.removeTags',
  method: 'POST',
  path: '/registry/repositories/{repository_id}/tags/removal',
  summary: 'Delete tags, with the images that nothing names then',
  access: 'registry.edit',
  body: RemoveTagsBody,
  reply: RemovalResult,
  problems: [notFound, tagsChanged, registrySuspended],
})

/** They count until a rule of retention or `removeUntagged` deletes them. Those pushed within the hour are left out: the next push may name them. */
export const getUntagged = operation({
  name: 'registry.getUntagged',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/untagged',
  summary: 'How many images of a repository have no tag, and what deleting them would free',
  access: 'registry.view',
  reply: Untagged,
  problems: [notFound],
})

/** Whatever a tag, an index that stays, a device or a fleet needs is kept. */
export const removeUntagged = operation({
  name: 'registry.removeUntagged',
  method: 'POST',
  path: '/registry/repositories/{repository_id}/untagged/removal',
  summary: 'Delete the images of a repository that have no tag',
  access: 'registry.edit',
  body: RemoveUntaggedBody,
  reply: UntaggedRemoved,
  problems: [notFound, untaggedChanged, registrySuspended],
})

/** A tag that fits one of them can be neither moved nor deleted, by a push neither. A suspended account adds some, and takes none away. */
export const setImmutableTags = operation({
  name: 'registry.setImmutableTags',
  method: 'PUT',
  path: '/registry/immutable-tags',
  summary: 'Say by patterns which tags are immutable',
  access: 'registry.edit',
  body: z.object({ patterns: TagPatterns }),
  reply: Registry,
  problems: [registrySuspended],
})
