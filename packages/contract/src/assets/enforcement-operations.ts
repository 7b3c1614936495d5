import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { Enforcement, EnforcementFigures, EnforcementProof } from './enforcement.ts'

export const listEnforcements = operation({
  name: 'assets.listEnforcements',
  method: 'GET',
  path: '/enforcements',
  summary: 'Limits that were reached, and how each was held, newest first',
  access: 'assets.view',
  query: z.extend(PageQuery, {
    asset_id: z.optional(z.string().check(z.maxLength(64))),
    /** Whether the SIM still has an open session. */
    state: z.optional(z.enum(['cut', 'open'])),
  }),
  reply: page(Enforcement),
})

export const getEnforcementFigures = operation({
  name: 'assets.getEnforcementFigures',
  method: 'GET',
  path: '/enforcements/figures',
  summary: 'How fast and how closely limits were held',
  access: 'assets.view',
  query: z.object({
    days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 30),
    asset_id: z.optional(z.string().check(z.maxLength(64))),
  }),
  reply: EnforcementFigures,
})

export const getEnforcement = operation({
  name: 'assets.getEnforcement',
  method: 'GET',
  path: '/enforcements/{enforcement_id}',
  summary: 'One limit that was reached, with what proves how it was held',
  access: 'assets.view',
  reply: EnforcementProof,
  problems: [notFound],
})
