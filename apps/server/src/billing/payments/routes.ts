import * as ops from '@masthead/contract/billing/top-up-operations'
import { consoleAddress, screenAddress } from '../../kernel/http/console-address.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { reach, read, type Route, write } from '../../kernel/http/routes.ts'
import { cancelTopUp, createTopUp, finishTopUp } from './create-top-up.ts'
import { getTopUp, listTopUps, topUpOf } from './top-up-queries.ts'

export const paymentRoutes: Route[] = [
  read(ops.listTopUps, ({ db, actor, query }) => listTopUps(db, actor, query)),
  read(ops.getTopUp, async ({ db, actor, params }) => topUpOf(await getTopUp(db, actor, params.top_up_id))),
  // The bank's page leads back to where the console was asked for, which the request says.
  reach(ops.createTopUp, ({ app, request, actor, body }) => {
    const back = body.hosted ? consoleAddress(app.config, request) + screenAddress(app.config, '/billing/addcredits') : null
    return app.db.transaction().execute((tx) => once(tx, actor, request, ops.createTopUp, () => createTopUp(tx, actor, body, back)))
  }),
  write(ops.finishTopUp, ({ db, actor, params }) => finishTopUp(db, actor, params.top_up_id)),
  write(ops.cancelTopUp, ({ db, actor, params }) => cancelTopUp(db, actor, params.top_up_id)),
]
