import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { supportAnswered, supportOver } from './problems.ts'
import { ListSupportQuery, SupportAccess, SupportMinutes } from './support.ts'

/** Of assets that whoever asks may see. */
export const listSupport = operation({
  name: 'terminal.listSupport',
  method: 'GET',
  path: '/support-access',
  summary: 'What support asked for and was allowed, the newest first',
  access: 'terminal.open',
  query: ListSupportQuery,
  reply: page(SupportAccess),
})

/** A person decides: no API key does. */
export const allowSupport = operation({
  name: 'terminal.allowSupport',
  method: 'POST',
  path: '/support-access/{support_id}/allow',
  summary: 'Allow support to use the terminal of a device for a time',
  access: 'support.grant',
  keys: false,
  body: z.object({ minutes: SupportMinutes }),
  reply: SupportAccess,
  problems: [notFound, supportAnswered, supportOver],
})

export const refuseSupport = operation({
  name: 'terminal.refuseSupport',
  method: 'POST',
  path: '/support-access/{support_id}/refuse',
  summary: 'Refuse what support asked for',
  access: 'support.grant',
  keys: false,
  body: z.object({ words: z.optional(z.string().check(z.trim(), z.maxLength(300, 'Use at most 300 characters'))) }),
  reply: SupportAccess,
  problems: [notFound, supportAnswered, supportOver],
})

/** A terminal that support has open is ended within two seconds. */
export const endSupport = operation({
  name: 'terminal.endSupport',
  method: 'POST',
  path: '/support-access/{support_id}/end',
  summary: 'End the access of support',
  access: 'terminal.open',
  reply: SupportAccess,
  problems: [notFound, supportOver],
})

const Consent = z.object({ standing: z.boolean() })
/** `limited`: whoever asks sees some devices only, and cannot set it. */
const ConsentSeen = z.extend(Consent, { limited: z.boolean() })

export const getSupportConsent = operation({
  name: 'terminal.getSupportConsent',
  method: 'GET',
  path: '/support-consent',
  summary: 'Whether support may open terminals without asking each time',
  access: 'terminal.open',
  reply: ConsentSeen,
})

/** Withdrawn, it ends all access that was had by it. */
export const updateSupportConsent = operation({
  name: 'terminal.updateSupportConsent',
  method: 'PUT',
  path: '/support-consent',
  summary: 'Allow support to open terminals without asking each time, or withdraw that',
  access: 'profile.edit',
  keys: false,
  body: Consent,
  reply: ConsentSeen,
})
