import * as z from 'zod/mini'
import { Bytes } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { layerUnreadable } from './problems.ts'

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

export const getLayerFiles = operation({
  name: 'registry.getLayerFiles',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/layers/{layer}/files',
  summary: 'The files of a layer of an image, by the place of the layer: 1 is the first (at most 10,000 files)',
  access: 'registry.view',
  reply: LayerFiles,
  problems: [notFound, layerUnreadable],
})
