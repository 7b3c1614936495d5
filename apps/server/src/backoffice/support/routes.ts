import * as ops from '@masthead/contract/backoffice/support-operations'
import { read, reach, write, type Route } from '../../kernel/http/routes.ts'
import { listStaffSupport } from '../../terminal/index.ts'
import { recordList } from '../staff/staff-log.ts'
import { askSupport, endStaffSupport, getSupportTerminal, openSupportTerminal } from './support.ts'

export const staffSupportRoutes: Route[] = [
  reach(ops.listStaffSupport, async ({ app: { db }, actor, query }) => {
    await recordList(db, actor, 'support access', query.account ?? null)
    return listStaffSupport(db, actor, query)
  }),
  write(ops.askSupport, ({ db, actor, params, body }) => askSupport(db, actor, params.any_asset_id, body)),
  write(ops.leaveSupport, ({ db, actor, params }) => endStaffSupport(db, actor, params.any_support_id)),
  write(ops.openSupportTerminal, ({ db, actor, params, body }) => openSupportTerminal(db, actor, params.any_support_id, body)),
  read(ops.getSupportTerminal, ({ db, actor, params }) => getSupportTerminal(db, actor, params.any_support_id, params.any_terminal_id)),
]
