import * as ops from '@masthead/contract/network-groups/operations'
import { read, write, type Route } from '../kernel/http/routes.ts'
import { createGroup, deleteGroup, updateGroup } from './change-groups.ts'
import { countGroupByPlaces, getGroup, listAttached, listGroups, simsIn } from './group-queries.ts'
import { previewGroup } from './preview-group.ts'

export const networkGroupRoutes: Route[] = [
  read(ops.listNetworkGroups, async ({ db, actor }) => ({ items: await listGroups(db, actor) })),
  read(ops.getNetworkGroup, async ({ db, actor, params: { network_group_id: id } }) => ({
    ...(await getGroup(db, actor, id)),
    attached: await listAttached(db, actor, id),
    sims_attached: simsIn(await countGroupByPlaces(db, actor, id), () => true),
  })),
  write(ops.createNetworkGroup, ({ db, actor, body }) => createGroup(db, actor, body)),
  write(ops.previewNetworkGroup, ({ db, actor, params, body }) => previewGroup(db, actor, params.network_group_id, body)),
  write(ops.updateNetworkGroup, ({ db, actor, params, body }) => updateGroup(db, actor, params.network_group_id, body)),
  write(ops.deleteNetworkGroup, ({ db, actor, params }) => deleteGroup(db, actor, params.network_group_id)),
]
