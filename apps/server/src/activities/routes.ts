import * as activities from '@masthead/contract/activities/operations'
import { read, stream, type Route } from '../kernel/http/routes.ts'
import { exportActivities, getActivity, getChain, listActivities } from './list-activities.ts'

export const activityRoutes: readonly Route[] = [
  read(activities.listActivities, ({ db, actor, query }) => listActivities(db, actor, query)),
  stream(activities.exportActivities, ({ db, actor, query }) => exportActivities(db, actor, query)),
  read(activities.getActivity, ({ db, actor, params }) => getActivity(db, actor, params.activity_id)),
  read(activities.getChain, ({ db, actor }) => getChain(db, actor)),
]
