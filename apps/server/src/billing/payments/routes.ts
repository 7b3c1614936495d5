import * as ops from '@masthead/contract/billing/top-up-operations'
import { read, type Route, write } from '../../kernel/http/routes.ts'
import { cancelTopUp, createTopUp, finishTopUp } from './create-top-up.ts'
import { getTopUp, listTopUps, topUpOf } from './top-up-queries.ts'

export const paymentRoutes: Route[] = [
  read(ops.listTopUps, ({ db, actor, query }) => listTopUps(db, actor, query)),
  read(ops.getTopUp, async ({ db, actor, params }) => topUpOf(await getTopUp(db, actor, params.top_up_id))),
  write(ops.createTopUp, ({ db, actor, body }) => createTopUp(db, actor, body)),
  write(ops.finishTopUp, ({ db, actor, params }) => finishTopUp(db, actor, params.top_up_id)),
  write(ops.cancelTopUp, ({ db, actor, params }) => cancelTopUp(db, actor, params.top_up_id)),
]
