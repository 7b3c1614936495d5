import * as ops from '@masthead/contract/tags/operations'
import { read, write, type Route } from '../kernel/http/routes.ts'
import { createTag, deleteTag, updateTag } from './change-tags.ts'
import { listTags } from './tag-queries.ts'

export const tagRoutes: Route[] = [
  read(ops.listTags, async ({ db, actor }) => ({ items: await listTags(db, actor) })),
  write(ops.createTag, ({ db, actor, body }) => createTag(db, actor, body)),
  write(ops.updateTag, ({ db, actor, params, body }) => updateTag(db, actor, params.tag_id, body)),
  write(ops.deleteTag, ({ db, actor, params }) => deleteTag(db, actor, params.tag_id)),
]
