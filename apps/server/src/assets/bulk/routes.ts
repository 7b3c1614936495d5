import * as ops from '@masthead/contract/assets/bulk-operations'
import { read, write, type Route } from '../../kernel/http/routes.ts'
import { getBulkChange, listLeftAssets } from './bulk-queries.ts'
import { previewBulkChange, startBulkChange } from './start-bulk-change.ts'

export const bulkRoutes: Route[] = [
  write(ops.previewBulkChange, ({ db, actor, body }) => previewBulkChange(db, actor, body)),
  write(ops.startBulkChange, ({ db, actor, body }) => startBulkChange(db, actor, body)),
  read(ops.getBulkChange, ({ db, actor, params }) => getBulkChange(db, actor, params.bulk_id)),
  read(ops.listLeftAssets, ({ db, actor, params, query }) => listLeftAssets(db, actor, params.bulk_id, query)),
]
