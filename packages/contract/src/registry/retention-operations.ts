import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { registrySuspended } from './problems.ts'
import { CleanUp, CleanUpReport, Judgement, PreviewRetentionBody, Retention, SetRetentionBody } from './retention.ts'

export const listRetention = operation({
  name: 'registry.listRetention',
  method: 'GET',
  path: '/registry/retention',
  summary: 'Rules that say which tags are kept: that of all repositories first, then those of some',
  access: 'registry.view',
  reply: z.object({ items: z.array(Retention) }),
})

/** Without a rule, tags stay. What a rule does not keep goes in the next night. */
export const setRetention = operation({
  name: 'registry.setRetention',
  method: 'PUT',
  path: '/registry/retention',
  summary: 'Set the rule that says which tags are kept, of one repository or of all, or end it',
  access: 'registry.edit',
  body: SetRetentionBody,
  reply: z.object({ items: z.array(Retention) }),
  problems: [notFound, registrySuspended],
})

/** Nothing is deleted. A rule of all repositories is tried as it would run: repositories with a rule of their own are judged by that. */
export const previewRetention = operation({
  name: 'registry.previewRetention',
  method: 'POST',
  path: '/registry/retention/preview',
  summary: 'Try a rule: which tags would go now, and why each other stays',
  access: 'registry.edit',
  body: PreviewRetentionBody,
  reply: Judgement,
  problems: [notFound],
})

export const cleanUpNow = operation({
  name: 'registry.cleanUpNow',
  method: 'POST',
  path: '/registry/clean-ups',
  summary: 'Delete now what the rules do not keep, as each night does',
  access: 'registry.edit',
  reply: CleanUpReport,
  problems: [registrySuspended],
})

export const listCleanUps = operation({
  name: 'registry.listCleanUps',
  method: 'GET',
  path: '/registry/clean-ups',
  summary: 'Clean-ups that were, the last first',
  access: 'registry.view',
  query: PageQuery,
  reply: page(CleanUp),
})

export const getCleanUp = operation({
  name: 'registry.getCleanUp',
  method: 'GET',
  path: '/registry/clean-ups/{clean_up_id}',
  summary: 'What a clean-up deleted and kept, and why',
  access: 'registry.view',
  reply: CleanUpReport,
  problems: [notFound],
})
