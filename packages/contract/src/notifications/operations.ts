import * as z from 'zod/mini'
import { listOf, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { Alert, AlertSource, AlertState, Severity } from './alert.ts'
import { Preference } from './preference.ts'

export const AlertFilter = z.object({
  severity: listOf(Severity),
  source: listOf(AlertSource),
  state: listOf(AlertState),
  unread: z.optional(z.literal('true')),
  /** About what one did oneself; `false`: without those. */
  own: z.optional(z.enum(['true', 'false'])),
  asset_id: z.optional(z.string().check(z.maxLength(64))),
})

/** Newest first, by when it last happened; by `urgency` what is open first, the worst of it at the top. A member sees those of what they may see, limited to their tags. */
export const listAlerts = operation({
  name: 'notifications.listAlerts',
  method: 'GET',
  path: '/notifications/alerts',
  summary: 'List alerts',
  access: 'notifications.view',
  query: z.extend(PageQuery, { ...AlertFilter.shape, sort: z._default(z.enum(['-last_at', 'urgency']), '-last_at') }),
  reply: z.extend(page(Alert), {
    /** When it was read: give it as `until` to acknowledge or mark no more than that. */
    at: Time,
  }),
})

export const getAlert = operation({
  name: 'notifications.getAlert',
  method: 'GET',
  path: '/notifications/alerts/{alert_id}',
  summary: 'An alert and when it happened',
  access: 'notifications.view',
  reply: z.extend(Alert, {
    /** The newest times it happened, at most 20. */
    happened_at: z.array(Time),
  }),
  problems: [notFound],
})

export const getSummary = operation({
  name: 'notifications.getSummary',
  method: 'GET',
  path: '/notifications/summary',
  summary: 'How many alerts are open and unread, without those about what one did oneself',
  access: 'notifications.view',
  reply: z.object({
    /** Of whoever asks. */
    unread: z.int(),
    open: z.object({ info: z.int(), warn: z.int(), critical: z.int() }),
  }),
})

/** Which alerts: those named, or without names all that are seen. */
const Chosen = z.object({
  alert_ids: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.minLength(1), z.maxLength(500, 'At most 500 at once'))),
})

export const acknowledgeAlerts = operation({
  name: 'notifications.acknowledgeAlerts',
  method: 'POST',
  path: '/notifications/alerts/acknowledge',
  summary: 'Acknowledge alerts, for everybody on the account',
  access: 'notifications.edit',
  body: z.extend(Chosen, {
    /** In place of names: those of the list with these filters. */
    matching: z.optional(
      z.object({
        severity: z.optional(z.array(Severity).check(z.maxLength(20))),
        source: z.optional(z.array(AlertSource).check(z.maxLength(20))),
        unread: AlertFilter.shape.unread,
        own: AlertFilter.shape.own,
        asset_id: AlertFilter.shape.asset_id,
      })
    ),
    /** What happened after this moment stays as it is. */
    until: z.optional(Time),
  }),
  reply: z.object({ acknowledged: z.int() }),
  problems: [notFound],
})

/** Only what the person sees themselves changes, so that it needs no permission of its own. */
export const readAlerts = operation({
  name: 'notifications.readAlerts',
  method: 'POST',
  path: '/notifications/alerts/read',
  summary: 'Mark alerts as read, or as unread',
  access: 'signed_in',
  keys: false,
  body: z.extend(Chosen, {
    read: z._default(z.boolean(), true),
    /** What happened after this moment stays as it is. */
    until: z.optional(Time),
  }),
  reply: z.object({ changed: z.int() }),
  problems: [notFound],
})

export const getPreference = operation({
  name: 'notifications.getPreference',
  method: 'GET',
  path: '/notifications/preference',
  summary: 'One’s own notification preferences on this account',
  access: 'notifications.view',
  keys: false,
  reply: Preference,
})

export const setPreference = operation({
  name: 'notifications.setPreference',
  method: 'PUT',
  path: '/notifications/preference',
  summary: 'Change one’s own notification preferences on this account',
  access: 'signed_in',
  keys: false,
  body: Preference,
  reply: Preference,
})
