import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'

/**
 * Why nobody answers a sender: no gateway that is on has its address; its accounting was signed with another secret; its Access-Request or
 * Status-Server had no Message-Authenticator, or one made with another secret; a gateway's packet could not be read, or is not for that port.
 */
export const RefusedKind = z.enum(['unknown_address', 'wrong_secret', 'message_authenticator', 'malformed'])
export type RefusedKind = z.output<typeof RefusedKind>

export const RefusedSender = z.object({
  address: z.string(),
  kind: RefusedKind,
  /** That were dropped. While very many addresses send at once, only a part is counted. */
  packets: z.int(),
  first_at: Time,
  last_at: Time,
  /** That has the address; null when none does. */
  gateway: z.nullable(z.object({ id: z.string(), name: z.string(), disabled: z.boolean() })),
})
export type RefusedSender = z.output<typeof RefusedSender>

export const listRefusedSenders = operation({
  name: 'backoffice.listRefusedSenders',
  method: 'GET',
  path: '/backoffice/refused-senders',
  summary: 'The latest 1,000 senders of RADIUS packets that were refused',
  access: 'manage_networks',
  query: z.extend(PageQuery, {
    kind: z.optional(RefusedKind),
    /** The beginning of an address. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(64))),
  }),
  reply: page(RefusedSender),
})
