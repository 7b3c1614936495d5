import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { Registry } from './image.ts'
import { registrySuspended, tagsChanged } from './problems.ts'
import { RemovalPreview, RemovalResult, RemoveTagsBody, TagChoice, TagPatterns } from './removal.ts'

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

/** A tag that fits one of them can be neither moved nor deleted, by a push neither. */
export const setImmutableTags = operation({
  name: 'registry.setImmutableTags',
  method: 'PUT',
  path: '/registry/immutable-tags',
  summary: 'Say by patterns which tags are immutable',
  access: 'registry.edit',
  body: z.object({ patterns: TagPatterns }),
  reply: Registry,
})
