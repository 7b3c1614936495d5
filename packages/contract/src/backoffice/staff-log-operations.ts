import * as z from 'zod/mini'
import { listOf, AskedTime, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'

const Values = z.nullable(z.record(z.string(), z.unknown()))

/** One thing that staff did, looked at, or were refused. */
export const StaffLogEntry = z.object({
  id: z.string(),
  at: Time,
  staff: z.string(),
  action: z.string(),
  sentence: z.string(),
  detail: z.record(z.string(), z.unknown()),
  /** E-mail of the account it concerns. */
  account: z.nullable(z.string()),
  asset_id: z.nullable(z.string()),
  target: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  result: z.enum(['ok', 'refused']),
  failure: z.nullable(z.string()),
  before: Values,
  after: Values,
  ip: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
})
export type StaffLogEntry = z.output<typeof StaffLogEntry>

export const StaffLogFilter = z.object({
  staff: z.optional(z.string().check(z.maxLength(254))),
  /** E-mail of an account. */
  account: z.optional(z.string().check(z.maxLength(254))),
  action: listOf(z.string().check(z.maxLength(60))),
  result: z.optional(z.enum(['ok', 'refused'])),
  asset_id: z.optional(z.string().check(z.maxLength(64))),
  start: z.optional(AskedTime),
  end: z.optional(AskedTime),
})

export const listStaffLog = operation({
  name: 'backoffice.listStaffLog',
  method: 'GET',
  path: '/backoffice/logs',
  summary: 'What staff did and looked at, newest first',
  access: 'audit_logs',
  query: z.extend(PageQuery, StaffLogFilter.shape),
  reply: page(StaffLogEntry),
})

export const exportStaffLog = operation({
  name: 'backoffice.exportStaffLog',
  method: 'GET',
  path: '/backoffice/logs.csv',
  summary: 'The audit log as CSV',
  access: 'audit_logs',
  query: StaffLogFilter,
  gives: 'csv',
})
