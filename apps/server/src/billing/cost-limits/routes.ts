import { setCostLimits as setOp } from '@masthead/contract/billing/cost-limits/operations'
import { type Route, write } from '../../kernel/http/routes.ts'
import { setCostLimits } from './set-cost-limits.ts'

export const costLimitRoutes: Route[] = [write(setOp, ({ db, actor, body }) => setCostLimits(db, actor, body))]
