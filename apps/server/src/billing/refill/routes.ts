import * as ops from '@masthead/contract/billing/refill/operations'
import { read, type Route, write } from '../../kernel/http/routes.ts'
import { findBalanceRules } from './balance-rules.ts'
import { retryRefill, setBalanceWarnings, setRefill } from './change-rules.ts'

export const refillRoutes: Route[] = [
  read(ops.getBalanceRules, async ({ db, actor }) => ({ rules: await findBalanceRules(db, actor) })),
  write(ops.setBalanceWarnings, ({ db, actor, body }) => setBalanceWarnings(db, actor, body)),
  write(ops.retryRefill, ({ db, actor }) => retryRefill(db, actor)),
  write(ops.setRefill, ({ db, actor, body }) => setRefill(db, actor, body)),
]
