import * as z from 'zod/mini'
import { Name } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound, problem } from '../kernel/problem.ts'
import { tagLimitsMembers } from '../teams/problems.ts'
import { Tag, TagColor } from './tag.ts'

export const tagNameTaken = problem({
  code: 'tag_name_taken',
  status: 409,
  title: 'A tag with this name already exists',
})

/** How many tags an account can have. */
export const mostTags = 500
export const tooManyTags = problem({
  code: 'too_many_tags',
  status: 409,
  title: `An account has at most ${mostTags} tags`,
})

/** All tags of the account (at most 500), by name. A member limited by tags sees those alone. */
export const listTags = operation({
  name: 'tags.listTags',
  method: 'GET',
  path: '/tags',
  summary: 'List tags',
  access: 'assets.view',
  reply: z.object({ items: z.array(Tag) }),
})

export const createTag = operation({
  name: 'tags.createTag',
  method: 'POST',
  path: '/tags',
  summary: 'Create a tag',
  access: 'assets.edit',
  body: z.object({ name: Name, color: z.optional(TagColor) }),
  reply: Tag,
  problems: [tagNameTaken, tooManyTags],
})

export const updateTag = operation({
  name: 'tags.updateTag',
  method: 'PATCH',
  path: '/tags/{tag_id}',
  summary: 'Rename or recolour a tag',
  access: 'assets.edit',
  body: z.object({ name: z.optional(Name), color: z.optional(TagColor) }),
  reply: Tag,
  problems: [notFound, tagNameTaken],
})

export const deleteTag = operation({
  name: 'tags.deleteTag',
  method: 'DELETE',
  path: '/tags/{tag_id}',
  summary: 'Delete a tag and take it off every asset',
  access: 'assets.edit',
  problems: [notFound, tagLimitsMembers],
})
