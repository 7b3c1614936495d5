import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { Package } from './sbom.ts'

/** Those of the newest list that is attached to it; none where there is none. */
export const listPackages = operation({
  name: 'registry.listPackages',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/packages',
  summary: 'Packages of an image, as the newest SBOM that is attached to it lists them',
  access: 'registry.view',
  query: z.extend(PageQuery, { search: z.optional(z.string().check(z.trim(), z.maxLength(200))) }),
  reply: page(Package),
  problems: [notFound],
})
