import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const group = z.object({ network_group_id: z.string(), network_group_name: z.string() })
const simsOf = (sims: number) => (sims === 1 ? '{sims} SIM' : '{sims} SIMs')

export const groupCreated = event({
  name: 'network_groups.group_created',
  refreshes: ['network_groups'],
  detail: group,
  sentence: 'Created network group {network_group_name}',
})
export const groupRenamed = event({
  name: 'network_groups.group_renamed',
  refreshes: ['network_groups', 'assets'],
  detail: z.extend(group, { old_name: z.string(), new_name: z.string() }),
  sentence: 'Renamed network group {old_name} to {new_name}',
})
export const groupUpdated = event({
  name: 'network_groups.group_updated',
  refreshes: ['network_groups', 'assets'],
  detail: z.extend(group, { changed: z.array(z.string()), sims: z.int() }),
  sentence: ({ sims }) => `Updated network group {network_group_name}${sims > 0 ? `, which has ${simsOf(sims)}` : ''}`,
})
export const groupDeleted = event({
  name: 'network_groups.group_deleted',
  refreshes: ['network_groups', 'assets'],
  detail: z.extend(group, { sims: z.int() }),
  sentence: ({ sims }) => `Deleted network group {network_group_name}${sims > 0 ? ` and moved ${simsOf(sims)} to Default` : ''}`,
})
/** One SIM; of many at once, see `assets.assets_changed`. */
export const groupAssigned = event({
  name: 'network_groups.group_assigned',
  refreshes: ['network_groups', 'assets'],
  detail: z.extend(group, { asset_id: z.string(), asset_name: z.string(), sim_id: z.string(), iccid: z.string() }),
  sentence: 'Moved {asset_name} to network group {network_group_name}',
})
