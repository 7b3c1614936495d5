import * as z from 'zod/mini'
import { Asset } from '../assets/asset.ts'
import { emailProvenAlready } from '../auth/problems.ts'
import { Bytes, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { staffPermissions, type StaffPermission } from '../kernel/permission.ts'
import { accountClosed, notFound } from '../kernel/problem.ts'
import {
  accountNotSuspended,
  accountSuspendedAlready,
  lastStaffManager,
  ownAccount,
  staffMayMore,
  staffPermissionNotYours,
  viewNeeded,
} from './problems.ts'
import { Reason } from './reason.ts'

export const Customer = z.object({
  id: z.string(),
  /** Of its owner: how the account is named in addresses. */
  email: z.string(),
  team_name: z.string(),
  suspended_at: z.nullable(Time),
  suspended_reason: z.nullable(z.string()),
  created_at: Time,
  assets: z.int(),
  members: z.int(),
})
export type Customer = z.output<typeof Customer>

export const AccountSort = z.enum(['team_name', '-team_name', 'created_at', '-created_at'])

export const listAccounts = operation({
  name: 'backoffice.listAccounts',
  method: 'GET',
  path: '/backoffice/accounts',
  summary: 'Every account',
  access: 'backoffice',
  query: z.extend(PageQuery, {
    /** In the name of the team and in the e-mail of its owner. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    suspended: z.optional(z.enum(['true', 'false'])),
    sort: z._default(AccountSort, 'team_name'),
  }),
  reply: page(Customer),
})

export const Note = z.object({ id: z.string(), by: z.string(), text: z.string(), created_at: Time })

export const CustomerDetails = z.extend(Customer, {
  currency: z.string(),
  timezone: z.string(),
  feature_flags: z.object({ network_groups: z.boolean() }),
  /** The owner closed it; from `erase_at` on what is personal is removed. */
  closed_at: z.nullable(Time),
  erase_at: z.nullable(Time),
  /** Of its owner, beside permissions: a screen that asks for groups opens for who is in all of them. */
  groups: z.array(z.string()),
  /** What each new SIM may use for free before it is active; null: it is active with its first session. */
  test_bytes: z.nullable(Bytes),
  /** What it may keep in the container registry; `own`: staff set it, and not the installation for all. */
  registry: z.object({ quota_bytes: Bytes, own: z.boolean(), used_bytes: Bytes }),
  /** How many assets have a SIM in each status; '' is without a SIM. */
  sim_statuses: z.record(z.string(), z.int()),
  bytes_this_month: Bytes,
  /** What its owner may do as staff. */
  staff_permissions: z.array(z.string()),
  /** Whether the caller is a member of it while somebody is staff who is not: what staff do to an account is for them to do. */
  for_others: z.boolean(),
  /** Whether they demand a second factor of everybody who works on the account, and whether they have one themselves. */
  second_factor_demanded: z.boolean(),
  second_factor: z.boolean(),
  /** When its owner’s e-mail address was shown to be theirs, and by what; null: nobody has. */
  email_proven: z.nullable(z.object({ at: Time, by: z.enum(['mail', 'provider', 'staff', 'before']) })),
  /** When its owner was last active on it. */
  last_active_at: z.nullable(Time),
  team: z.array(
    z.object({ email: z.string(), permissions: z.array(z.string()), tags: z.array(z.string()), since: Time, second_factor: z.boolean() })
  ),
  invitations: z.array(z.object({ email: z.string(), expires_at: Time })),
  member_of: z.array(z.object({ email: z.string(), team_name: z.string() })),
  notes: z.array(Note),
})
export type CustomerDetails = z.output<typeof CustomerDetails>

/** The account owned by whoever has this e-mail, here and in every path below. */
export const getCustomer = operation({
  name: 'backoffice.getCustomer',
  method: 'GET',
  path: '/backoffice/accounts/{email}',
  summary: 'One account; the customer sees that it was looked at',
  access: 'backoffice',
  reply: CustomerDetails,
  problems: [notFound],
})

export const listCustomerAssets = operation({
  name: 'backoffice.listCustomerAssets',
  method: 'GET',
  path: '/backoffice/accounts/{email}/assets',
  summary: 'The assets of an account',
  access: 'backoffice',
  query: z.extend(PageQuery, { search: z.optional(z.string().check(z.trim(), z.maxLength(100))) }),
  reply: page(Asset),
  problems: [notFound],
})

/** The account of somebody who is staff takes `manage_staff` and all they may, here and in the three below (staff-rules.ts). */
export const suspendAccount = operation({
  name: 'backoffice.suspendAccount',
  method: 'POST',
  path: '/backoffice/accounts/{email}/suspend',
  summary: 'Suspend an account: its SIMs lose their service',
  access: 'backoffice',
  body: z.object({ reason: Reason }),
  reply: CustomerDetails,
  problems: [notFound, accountSuspendedAlready, ownAccount, staffMayMore, lastStaffManager],
})

export const resumeAccount = operation({
  name: 'backoffice.resumeAccount',
  method: 'POST',
  path: '/backoffice/accounts/{email}/resume',
  summary: 'End the suspension of an account',
  access: 'backoffice',
  body: z.object({ reason: Reason }),
  reply: CustomerDetails,
  problems: [notFound, accountNotSuspended, accountClosed, ownAccount, staffMayMore],
})

/** For an owner who can show it in no other way. They may accept invitations to that address from then on. */
export const proveEmail = operation({
  name: 'backoffice.proveEmail',
  method: 'POST',
  path: '/backoffice/accounts/{email}/prove_email',
  summary: 'Confirm that the e-mail address of an account belongs to its owner',
  access: 'backoffice',
  body: z.object({ reason: Reason }),
  reply: CustomerDetails,
  problems: [notFound, emailProvenAlready, ownAccount, staffMayMore],
})

export const updateFeatureFlags = operation({
  name: 'backoffice.updateFeatureFlags',
  method: 'PATCH',
  path: '/backoffice/accounts/{email}/features',
  summary: 'Switch parts of the console on or off for an account',
  access: 'backoffice',
  body: z.object({ network_groups: z.boolean(), reason: Reason }),
  reply: CustomerDetails,
  problems: [notFound, ownAccount, staffMayMore],
})

/** By this name screens and integrations of an installation ask for a group (`groups` in the user info). */
export const GroupName = z.string().check(z.trim(), z.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'Use a-z, 0-9, - and _, at most 40 characters'))

export const updateGroups = operation({
  name: 'backoffice.updateGroups',
  method: 'PATCH',
  path: '/backoffice/accounts/{email}/groups',
  summary: 'Set the groups of the owner of an account',
  access: 'backoffice',
  body: z.object({ groups: z.array(GroupName).check(z.maxLength(50, 'Use at most 50 groups')), reason: Reason }),
  reply: CustomerDetails,
  problems: [notFound, ownAccount, staffMayMore],
})

/** Of SIMs that are registered from then on; those that are ready already keep what they have. */
export const setTestAllowance = operation({
  name: 'backoffice.setTestAllowance',
  method: 'PUT',
  path: '/backoffice/accounts/{email}/test-allowance',
  summary: 'Say what each new SIM of an account may use for free before it is active',
  access: 'backoffice',
  body: z.object({
    /** Null: a SIM is active with its first session. */
    bytes: z.nullable(z.int().check(z.minimum(1_000_000, 'At least 1 MB'), z.maximum(1_000_000_000, 'At most 1 GB'))),
    reason: Reason,
  }),
  reply: CustomerDetails,
  problems: [notFound, ownAccount, staffMayMore],
})

/** Below what is used, pushes are refused until it is less; nothing is deleted, and pulls go on. */
export const setRegistryQuota = operation({
  name: 'backoffice.setRegistryQuota',
  method: 'PUT',
  path: '/backoffice/accounts/{email}/registry-quota',
  summary: 'Say how much an account may keep in the container registry',
  access: 'backoffice',
  body: z.object({
    /** Null: what the installation gives every account. */
    bytes: z.nullable(z.int('Enter how much').check(z.minimum(0, 'Use 0 or more'), z.maximum(1e15, 'At most 1 PB'))),
    reason: Reason,
  }),
  reply: CustomerDetails,
  problems: [notFound, ownAccount, staffMayMore],
})

/** Nobody gives what they do not have, changes whoever may more, or what they may themselves; and somebody is always left to do it. */
export const updateStaff = operation({
  name: 'backoffice.updateStaff',
  method: 'PATCH',
  path: '/backoffice/accounts/{email}/staff',
  summary: 'Set the staff permissions of the owner of an account',
  access: 'manage_staff',
  body: z.object({
    permissions: z.array(z.enum(Object.keys(staffPermissions) as [StaffPermission, ...StaffPermission[]])).check(z.maxLength(50)),
    reason: Reason,
  }),
  reply: CustomerDetails,
  problems: [notFound, ownAccount, staffMayMore, staffPermissionNotYours, lastStaffManager],
})

export const addNote = operation({
  name: 'backoffice.addNote',
  method: 'POST',
  path: '/backoffice/accounts/{email}/notes',
  summary: 'Write a note on an account, for staff only',
  access: 'backoffice',
  body: z.object({
    text: z.string().check(z.trim(), z.minLength(1, 'Enter some text'), z.maxLength(4000, 'Use at most 4,000 characters')),
  }),
  reply: Note,
  problems: [notFound],
})

/** The session sees the account as its owner does, and can change nothing there. The customer is notified. */
export const viewAccount = operation({
  name: 'backoffice.viewAccount',
  method: 'POST',
  path: '/backoffice/accounts/{email}/view',
  summary: 'Look at the console of a customer, without being able to change anything',
  access: 'backoffice',
  body: z.object({ reason: Reason }),
  reply: z.object({ email: z.string(), expires_at: Time }),
  problems: [notFound, ownAccount, staffMayMore],
  spends: 'session',
})

/** Ends what `viewAccount` began: called by the session that looks, which has no backoffice token in its hands then. */
export const stopViewing = operation({
  name: 'backoffice.stopViewing',
  method: 'POST',
  path: '/backoffice/stop_viewing',
  summary: 'Stop looking at the console of a customer',
  access: 'self',
  whileViewing: true,
  keys: false,
  reply: z.object({ email: z.string() }),
  problems: [viewNeeded],
  spends: 'session',
})
