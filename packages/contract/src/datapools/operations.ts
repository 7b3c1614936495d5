import * as z from 'zod/mini'
import { Bytes, Name, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { Micros } from '../billing/money.ts'
import { balanceTooLow, billingOff } from '../billing/ledger-problems.ts'
import { tagUnknown } from '../assets/problems.ts'
import { OveragePercent, OveragePolicy, Package } from './package.ts'
import { DataPool, PoolSim, Thresholds } from './pool.ts'
import {
  packageNotSold,
  packageRetired,
  poolEnded,
  poolFull,
  poolNameTaken,
  poolPaidBySim,
  simInManyPools,
  tooManyPools,
} from './problems.ts'

/** Running ones first, in the order in which their data is used. A member limited by tags sees the pools that SIMs of theirs draw from, each as a whole. */
export const listDataPools = operation({
  name: 'datapools.listDataPools',
  method: 'GET',
  path: '/datapools',
  summary: 'Data pools, what is left in each, and when it will run out',
  access: 'datapools.view',
  query: z.extend(PageQuery, {
    state: z._default(z.enum(['running', 'ended', 'all']), 'running'),
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  }),
  reply: z.extend(page(DataPool), {
    /** Why the viewer may not buy one, in words; null: nothing but a permission is asked. */
    closed: z.nullable(z.string()),
  }),
})

export const PoolDetails = z.extend(DataPool, {
  /** The tags whose assets are in the pool. */
  tags: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The terms before, the newest first; at most 24. */
  terms: z.array(z.object({ starts_at: Time, ends_at: Time, size_bytes: Bytes, used_bytes: Bytes, overage_bytes: Bytes })),
})
export type PoolDetails = z.output<typeof PoolDetails>

export const getDataPool = operation({
  name: 'datapools.getDataPool',
  method: 'GET',
  path: '/datapools/{pool_id}',
  summary: 'A data pool with its usage by day',
  access: 'datapools.view',
  reply: PoolDetails,
  problems: [notFound],
})

export const PoolSimSort = z.enum(['bytes', '-bytes', 'name', '-name'])

export const listPoolSims = operation({
  name: 'datapools.listPoolSims',
  method: 'GET',
  path: '/datapools/{pool_id}/sims',
  summary: 'The SIMs of a data pool, and those that left it and took data in the term, with what each took',
  access: 'datapools.view',
  query: z.extend(PageQuery, {
    /** In the asset's name, and the beginning of the ICCID. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    sort: z._default(PoolSimSort, '-bytes'),
  }),
  reply: page(PoolSim),
  problems: [notFound],
})

/**
 * The first term begins today and is paid now; each next one when it begins. Where the balance does not cover that, the pool ends. Where each SIM brings its own, each
 * is paid when it is added.
 */
export const buyPackage = operation({
  name: 'datapools.buyPackage',
  method: 'POST',
  path: '/datapools',
  summary: 'Buy a package: a data pool of it is opened, and its price is taken from the balance',
  access: 'datapools.edit',
  body: z.object({
    package_id: z.string().check(z.minLength(1, 'Choose a package'), z.maxLength(64)),
    /** The package’s name where none is given. */
    name: z.optional(Name),
    auto_renew: z._default(z.boolean(), true),
  }),
  reply: DataPool,
  problems: [notFound, packageRetired, packageNotSold, poolNameTaken, tooManyPools, billingOff, balanceTooLow],
})

/** What its package gives in a term, once more until the end of the one that runs, at the price of a term; the next term is as before. Only of a pool that was bought and has one size. */
export const buyMoreData = operation({
  name: 'datapools.buyMoreData',
  method: 'POST',
  path: '/datapools/{pool_id}/more',
  summary: 'Buy what a data pool has in a term once more for the term that runs, and take its price from the balance',
  access: 'datapools.edit',
  reply: DataPool,
  problems: [notFound, poolEnded, packageNotSold, billingOff, balanceTooLow],
})

/** What is not named stays. */
export const updateDataPool = operation({
  name: 'datapools.updateDataPool',
  method: 'PATCH',
  path: '/datapools/{pool_id}',
  summary: 'Change a data pool: its name, what happens after it, renewal, thresholds, order',
  access: 'datapools.edit',
  body: z.object({
    name: z.optional(Name),
    auto_renew: z.optional(z.boolean()),
    overage_policy: z.optional(OveragePolicy),
    overage_percent: z.optional(OveragePercent),
    thresholds: z.optional(Thresholds),
    priority: z.optional(z.int().check(z.minimum(1, 'From 1 to 1000'), z.maximum(1000, 'From 1 to 1000'))),
  }),
  reply: DataPool,
  problems: [notFound, poolNameTaken, poolEnded],
})

const AssetIds = z
  .array(z.string().check(z.maxLength(64)))
  .check(z.minLength(1, 'Choose at least one asset'), z.maxLength(1000, 'At most 1,000 assets at a time'))

export const addPoolAssets = operation({
  name: 'datapools.addPoolAssets',
  method: 'POST',
  path: '/datapools/{pool_id}/assets',
  summary: 'Let the SIMs of assets draw from a data pool',
  access: 'datapools.edit',
  /** Ids, serial numbers or ICCIDs. */
  body: z.object({ assets: AssetIds }),
  reply: z.object({
    added: z.int(),
    already: z.int(),
    /** For what they bring, where each SIM brings its own and the pool was bought. Null as with the price of a pool. */
    paid_micros: z.nullable(Micros),
  }),
  problems: [notFound, poolEnded, poolFull, simInManyPools, billingOff, balanceTooLow],
})

/** Assets that a tag of the pool brings stay. */
export const removePoolAssets = operation({
  name: 'datapools.removePoolAssets',
  method: 'POST',
  path: '/datapools/{pool_id}/assets/remove',
  summary: 'Take assets out of a data pool',
  access: 'datapools.edit',
  body: z.object({ assets: AssetIds }),
  reply: z.object({ removed: z.int() }),
  problems: [notFound],
})

export const setPoolTags = operation({
  name: 'datapools.setPoolTags',
  method: 'PUT',
  path: '/datapools/{pool_id}/tags',
  summary: 'Set the tags whose assets draw from a data pool, now and whenever they are tagged',
  access: 'datapools.edit',
  /** Ids or names. Assets that a full pool has no place for stay out of it. */
  body: z.object({ tags: z.array(z.string().check(z.maxLength(120))).check(z.maxLength(20, 'At most 20 tags')) }),
  reply: DataPool,
  problems: [notFound, poolEnded, poolFull, poolPaidBySim, simInManyPools, tagUnknown],
})

/** Those that are offered, the smallest first. Their price is null as with that of a pool. */
export const listPackages = operation({
  name: 'datapools.listPackages',
  method: 'GET',
  path: '/datapools/packages',
  summary: 'The packages that data pools are opened of',
  access: 'datapools.view',
  reply: z.object({ items: z.array(z.extend(z.omit(Package, { pools: true }), { price_micros: z.nullable(Micros) })) }),
})
