import * as ops from '@masthead/contract/assets/bulk/bulk-operations'
import type { Actor } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { reach, read, stream, streamOf, write, type Route } from '../../kernel/http/routes.ts'
import { getBulkChange, listBulkChanges, listLeftAssets } from './bulk-queries.ts'
import { exportResults } from './export-results.ts'
import { previewBulkChange, startBulkChange } from './start-bulk-change.ts'
import { readFile, startCsvChange } from './start-csv-change.ts'
import { undoBulkChange } from './undo-change.ts'

const results = stream(
  ops.exportBulkResults,
  ({ db, actor, params }) => exportResults(db, actor, params.bulk_id),
  ({ params }) => `${params.bulk_id}.csv`
)

export const bulkRoutes: Route[] = [
  write(ops.previewBulkChange, ({ db, config, actor, body }) => previewBulkChange(db, config, actor, body)),
  write(ops.startBulkChange, ({ db, config, actor, body }) => startBulkChange(db, config, actor, body)),
  reach(ops.startCsvChange, async ({ app, actor, request, query }) => {
    const text = await readFile(streamOf(request.body))
    // What a repetition is known by.
    request.body = text
    return app.db.transaction().execute((tx) => once(tx, actor, request, ops.startCsvChange, () => startCsvChange(tx, actor, text, query)))
  }),
  write(ops.undoBulkChange, ({ db, actor, params }) => undoBulkChange(db, actor, params.bulk_id)),
  read(ops.listBulkChanges, ({ db, actor, query }) => listBulkChanges(db, actor, query)),
  read(ops.getBulkChange, ({ db, actor, params }) => getBulkChange(db, actor, params.bulk_id)),
  read(ops.listLeftAssets, ({ db, actor, params, query }) => listLeftAssets(db, actor, params.bulk_id, query)),
  {
    op: ops.exportBulkResults,
    answer: async (outside, call: { actor: Actor; params: { bulk_id: string } }) => {
      // Before the file begins: a change that is not theirs is 404.
      await getBulkChange(outside.app.db, call.actor, call.params.bulk_id)
      return results.answer(outside, call as never)
    },
  },
]
