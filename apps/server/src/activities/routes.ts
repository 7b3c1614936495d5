import * as activities from '@masthead/contract/activities/operations'
import { read, type Route } from '../kernel/routes.ts'
import { listActivities } from './list-activities.ts'

export const activityRoutes: readonly Route[] = [
  read(activities.listActivities, ({ db, actor, query }) => listActivities(db, actor, query)),
]
