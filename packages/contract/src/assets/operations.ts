import * as z from 'zod/mini'
import { Bytes, Name, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { groupUnknown } from '../network-groups/problems.ts'
import { emailNotVerified } from '../teams/problems.ts'
import { Correction } from '../usage/correction.ts'
import { UsageInterval, UsagePoint, UsageRange } from '../usage/usage.ts'
import { AssetFilter, AssetSort } from './asset-filter.ts'
import { Asset } from './asset.ts'
import { Position } from './place-operations.ts'
import {
  assetAlreadyYours,
  assetHasNoSim,
  assetNotFound,
  assetReserved,
  assetTaken,
  assetUnknown,
  simActionNotPossible,
  tagUnknown,
} from './problems.ts'
import { DataSession } from './sim.ts'

/** Without a filter, in an order that an index has, pages lead so far: a jump walks past the rows before. */
export const deepestRow = 200_000

export const listAssets = operation({
  name: 'assets.listAssets',
  method: 'GET',
  path: '/assets',
  summary: 'List assets',
  access: 'assets.view',
  query: z.extend(PageQuery, {
    ...AssetFilter.shape,
    sort: z._default(AssetSort, 'name'),
    page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(deepestRow)), 1),
  }),
  reply: z.extend(page(Asset), {
    /** Of a large account, what moves with every packet (usage, last seen, country, operator) is asked from a copy of that time. Null: as it is now. */
    copied_at: z.nullable(Time),
  }),
})

export const exportAssets = operation({
  name: 'assets.exportAssets',
  method: 'GET',
  path: '/assets.csv',
  summary: 'All assets that match, as CSV',
  access: 'assets.view',
  query: AssetFilter,
  gives: 'csv',
})

/** `asset_id` is our id, the serial number, or the id or ICCID of a SIM, here and in every path below. */
export const getAsset = operation({
  name: 'assets.getAsset',
  method: 'GET',
  path: '/assets/{asset_id}',
  summary: 'One asset',
  access: 'assets.view',
  reply: Asset,
  problems: [assetNotFound],
})

export const registerAsset = operation({
  name: 'assets.registerAsset',
  method: 'POST',
  path: '/assets',
  summary: 'Register an asset by its serial number or ICCID',
  access: 'assets.register',
  body: z.object({
    token: z
      .string()
      .check(
        z.trim(),
        z.minLength(3, 'Enter a serial number or an ICCID'),
        z.maxLength(64, 'This is too long for a serial number or an ICCID')
      ),
    name: z.optional(Name),
    tags: z.optional(z.array(z.string()).check(z.maxLength(50))),
  }),
  reply: Asset,
  problems: [assetUnknown, assetAlreadyYours, assetTaken, assetReserved, tagUnknown, emailNotVerified],
})

export const updateAsset = operation({
  name: 'assets.updateAsset',
  method: 'PATCH',
  path: '/assets/{asset_id}',
  summary: 'Rename an asset, set its tags, its network group or its position, or switch it on and off',
  access: 'assets.edit',
  body: z.object({
    name: z.optional(Name),
    /** Ids or names of all its tags from now on. */
    tags: z.optional(z.array(z.string()).check(z.maxLength(50))),
    /** `inactive` takes the service from all its SIMs, whose own states stay; `active` gives it back, or activates the SIM of an asset that is on. */
    status: z.optional(z.enum(['active', 'inactive'])),
    /** What its SIM may use, by the id or the name of a network group. `default_100mb`, `default_1gb`, `default_10gb` and `default_unlimited` are on every account. */
    supersim: z.optional(z.object({ network_group: z.string().check(z.trim(), z.minLength(1, 'Name a network group'), z.maxLength(120)) })),
    /** Where it stands from now on; null: that is not known any more. With an API key it may be reported each minute: that is no activity. */
    position: z.optional(z.nullable(Position)),
  }),
  reply: Asset,
  problems: [assetNotFound, tagUnknown, assetHasNoSim, simActionNotPossible, groupUnknown],
})

export const activateSim = operation({
  name: 'assets.activateSim',
  method: 'POST',
  path: '/assets/{asset_id}/sim/activate',
  summary: 'Activate the SIM of an asset',
  access: 'assets.edit',
  reply: Asset,
  problems: [notFound, assetHasNoSim, simActionNotPossible],
})

export const deactivateSim = operation({
  name: 'assets.deactivateSim',
  method: 'POST',
  path: '/assets/{asset_id}/sim/deactivate',
  summary: 'Deactivate the SIM of an asset and cut its live session',
  access: 'assets.edit',
  reply: Asset,
  problems: [notFound, assetHasNoSim, simActionNotPossible],
})

export const listAssetSessions = operation({
  name: 'assets.listAssetSessions',
  method: 'GET',
  path: '/assets/{asset_id}/sessions',
  summary: 'Data sessions of an asset, newest first',
  access: 'assets.view',
  query: PageQuery,
  reply: page(DataSession),
  problems: [notFound],
})

export const getSimUsages = operation({
  name: 'assets.getSimUsages',
  method: 'GET',
  path: '/assets/{asset_id}/sim/usages',
  summary: 'Usage of an asset over time',
  access: 'assets.view',
  query: z.extend(UsageRange, { interval: z._default(UsageInterval, 'day') }),
  reply: z.object({
    items: z.array(UsagePoint),
    bytes_up: Bytes,
    bytes_down: Bytes,
    complete_until: z.nullable(z.iso.datetime()),
    /** Of each interval, what was reported more than an hour after it was used; as far back as single reports are kept. */
    late: z.array(z.object({ at: z.iso.datetime(), bytes: Bytes })),
  }),
  problems: [assetNotFound],
})

export const listSimCorrections = operation({
  name: 'assets.listSimCorrections',
  method: 'GET',
  path: '/assets/{asset_id}/sim/corrections',
  summary: 'What staff corrected of the usage of an asset, the latest first',
  access: 'assets.view',
  query: PageQuery,
  reply: page(Correction),
  problems: [notFound],
})
