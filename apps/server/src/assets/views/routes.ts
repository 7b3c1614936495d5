import * as ops from '@masthead/contract/assets/views/view-operations'
import { read, write, type Route } from '../../kernel/http/routes.ts'
import { createView, deleteView, updateView } from './change-view.ts'
import { listViewCounts } from './count-in-view.ts'
import { listViews } from './view-queries.ts'

export const viewRoutes: Route[] = [
  read(ops.listViews, async ({ db, actor }) => ({ items: await listViews(db, actor) })),
  read(ops.listViewCounts, ({ db, actor }) => listViewCounts(db, actor)),
  write(ops.createView, ({ db, actor, body }) => createView(db, actor, body)),
  write(ops.updateView, ({ db, actor, params, body }) => updateView(db, actor, params.view_id, body)),
  write(ops.deleteView, ({ db, actor, params }) => deleteView(db, actor, params.view_id)),
]
