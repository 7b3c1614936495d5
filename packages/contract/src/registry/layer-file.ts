import * as z from 'zod/mini'
import { Bytes } from '../kernel/fields.ts'

/** So many files of a layer are listed; what comes behind them is not read. */
export const mostLayerFiles = 10_000

export const LayerFile = z.object({
  path: z.string(),
  /** `removed`: of a layer below, which the image does not show. */
  kind: z.enum(['file', 'folder', 'link', 'removed', 'other']),
  bytes: Bytes,
  /** As in `0755`. */
  mode: z.string(),
  /** Where a link leads. */
  target: z.nullable(z.string()),
})
export type LayerFile = z.output<typeof LayerFile>

export const LayerFiles = z.object({
  items: z.array(LayerFile),
  /** Of the files listed, unpacked. */
  bytes: Bytes,
  /** Why not all of it was read, in words. Null: it was. */
  cut: z.nullable(z.string()),
})
export type LayerFiles = z.output<typeof LayerFiles>
