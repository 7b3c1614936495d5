import * as z from 'zod/mini'
import { Currency } from '../billing/money.ts'
import { OveragePercent, OveragePolicy, Package, PoolKind, Validity } from '../datapools/package.ts'
import { DataPool } from '../datapools/pool.ts'
import { packageNameTaken, packageRetired, poolEnded, poolNameTaken, tooManyPools } from '../datapools/problems.ts'
import { Email, Name } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { ownAccount, staffMayMore } from './problems.ts'
import { Reason } from './reason.ts'

/** All of them, those that are offered first: there are some dozens. */
export const listAllPackages = operation({
  name: 'backoffice.listAllPackages',
  method: 'GET',
  path: '/backoffice/packages',
  summary: 'The packages of data that pools are opened of, retired ones as well',
  access: 'manage_datapools',
  reply: z.object({ items: z.array(Package), zones: z.array(z.string()) }),
})

const Bytes = z.int().check(z.minimum(1_000_000, 'At least 1 MB'), z.maximum(1_000_000_000_000_000, 'At most 1,000 TB'))
const PackageTerms = z.object({
  name: Name,
  kind: PoolKind,
  size_bytes: Bytes,
  /** One that networks have; null: anywhere. */
  zone: z._default(z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(40))), null),
  validity: Validity,
  price_micros: z._default(z.int().check(z.minimum(0, 'Not below zero'), z.maximum(1_000_000_000_000)), 0),
  currency: z._default(Currency, 'USD' as z.output<typeof Currency>),
  overage_policy: z._default(OveragePolicy, 'stop'),
  overage_percent: z.optional(OveragePercent),
  max_sims: z._default(z.nullable(z.int().check(z.minimum(1, 'At least 1'), z.maximum(10_000_000))), null),
  prorate_first: z._default(z.boolean(), false),
})

export const createPackage = operation({
  name: 'backoffice.createPackage',
  method: 'POST',
  path: '/backoffice/packages',
  summary: 'Offer a package of data',
  access: 'manage_datapools',
  body: PackageTerms,
  reply: Package,
  problems: [packageNameTaken],
})

/** What it is stays: pools that run renew with what they were opened with. */
export const retirePackage = operation({
  name: 'backoffice.retirePackage',
  method: 'POST',
  path: '/backoffice/packages/{package_id}/retire',
  summary: 'Offer a package no more; pools that run renew as before',
  access: 'manage_datapools',
  reply: Package,
  problems: [notFound],
})

export const CustomerPool = z.extend(DataPool, { account_email: z.string(), team_name: z.string() })
export type CustomerPool = z.output<typeof CustomerPool>

export const listCustomerPools = operation({
  name: 'backoffice.listCustomerPools',
  method: 'GET',
  path: '/backoffice/datapools',
  summary: 'The data pools of every account',
  access: 'manage_datapools',
  query: z.extend(PageQuery, {
    /** In the name of the pool, of the team, and in the e-mail of the account. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    state: z._default(z.enum(['running', 'exhausted', 'ended', 'all']), 'running'),
  }),
  reply: page(CustomerPool),
})

/** It begins today at 00:00 UTC. */
export const openPool = operation({
  name: 'backoffice.openPool',
  method: 'POST',
  path: '/backoffice/datapools',
  summary: 'Open a data pool of a package for a customer',
  access: 'manage_datapools',
  body: z.object({
    account: Email,
    package_id: z.string({ error: 'Choose a package' }).check(z.minLength(1, 'Choose a package'), z.maxLength(64)),
    /** The package’s where none is given. */
    name: z.optional(Name),
    auto_renew: z._default(z.boolean(), true),
    reason: Reason,
  }),
  reply: DataPool,
  problems: [notFound, packageRetired, poolNameTaken, tooManyPools, ownAccount, staffMayMore],
})

export const growPool = operation({
  name: 'backoffice.growPool',
  method: 'POST',
  path: '/backoffice/datapools/{any_pool_id}/data',
  summary: 'Give a data pool more data for the term that runs',
  access: 'manage_datapools',
  body: z.object({ bytes: Bytes, reason: Reason }),
  reply: DataPool,
  problems: [notFound, poolEnded, ownAccount, staffMayMore],
})

export const endPool = operation({
  name: 'backoffice.endPool',
  method: 'POST',
  path: '/backoffice/datapools/{any_pool_id}/end',
  summary: 'End a data pool now; its SIMs go on without it',
  access: 'manage_datapools',
  body: z.object({ reason: Reason }),
  reply: DataPool,
  problems: [notFound, poolEnded, ownAccount, staffMayMore],
})
