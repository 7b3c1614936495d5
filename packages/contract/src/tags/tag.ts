import * as z from 'zod/mini'

/** Tags have colours of their own, so that a tag never looks like a state. */
export const tagColors = ['slate', 'blue', 'violet', 'pink', 'orange', 'olive', 'teal', 'brown'] as const
export const TagColor = z.enum(tagColors)
export type TagColor = z.output<typeof TagColor>
export const Tag = z.object({
  id: z.string(),
  name: z.string(),
  color: TagColor,
  asset_count: z.int(),
})
export type Tag = z.output<typeof Tag>
