import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const tag = z.object({ tag_id: z.string(), tag_name: z.string() })
const onAsset = z.extend(tag, { asset_id: z.string(), asset_name: z.string() })

export const tagCreated = event({
  name: 'tags.tag_created',
  refreshes: ['tags', 'assets'],
  detail: tag,
  sentence: 'Created tag {tag_name}',
})
export const tagUpdated = event({
  name: 'tags.tag_updated',
  refreshes: ['tags', 'assets'],
  detail: z.extend(tag, { old_name: z.string(), new_name: z.string() }),
  sentence: ({ old_name, new_name }) =>
    old_name === new_name ? 'Changed the colour of tag {new_name}' : 'Renamed tag {old_name} to {new_name}',
})
export const tagDeleted = event({
  name: 'tags.tag_deleted',
  refreshes: ['tags', 'assets'],
  detail: tag,
  sentence: 'Deleted tag {tag_name}',
})
export const tagAssigned = event({
  name: 'tags.tag_assigned',
  refreshes: ['tags', 'assets'],
  detail: onAsset,
  sentence: 'Tagged {asset_name} with {tag_name}',
})
export const tagUnassigned = event({
  name: 'tags.tag_unassigned',
  refreshes: ['tags', 'assets'],
  detail: onAsset,
  sentence: 'Removed tag {tag_name} from {asset_name}',
})
