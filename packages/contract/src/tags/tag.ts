import * as z from 'zod/mini'

/** Tags have colours of their own, so that a tag never looks like a state. */
export const TagColor = z.enum(['slate', 'blue', 'violet', 'pink', 'orange', 'olive', 'teal', 'brown'])
export const Tag = z.object({
  id: z.string(),
  name: z.string(),
  color: TagColor,
  asset_count: z.int(),
})
export type Tag = z.output<typeof Tag>
