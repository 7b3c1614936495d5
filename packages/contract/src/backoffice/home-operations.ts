import * as z from 'zod/mini'
import { Asset, AssetType } from '../assets/asset.ts'
import { DataSession, SimStatus } from '../assets/sim.ts'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { ownAccount, simHeldAlready, simNotHeld, staffMayMore } from './problems.ts'
import { Reason } from './reason.ts'
import { StaffLogEntry } from './staff-log-operations.ts'
import { StaffSupport } from './support-operations.ts'

/** How the installation is, and what staff did last. */
export const getHome = operation({
  name: 'backoffice.getHome',
  method: 'GET',
  path: '/backoffice/home',
  summary: 'Totals over all accounts, and what staff did last',
  access: 'backoffice',
  reply: z.object({
    accounts: z.int(),
    suspended: z.int(),
    assets: z.int(),
    active_sims: z.int(),
    blocked_sims: z.int(),
    open_sessions: z.int(),
    gateways: z.int(),
    silent_gateways: z.int(),
    quarantined: z.int(),
    free_stock: z.int(),
    waiting_jobs: z.int(),
    /** Seconds that hours and days of usage are behind; null before there was any. */
    usage_lag_seconds: z.nullable(z.int()),
    /** One's own last ones, or everybody's for those who may see the audit log. */
    latest: z.array(StaffLogEntry),
    /** The newest access of support to devices. With these few nobody has looked at the list, so the log does not say so. */
    latest_support: z.array(StaffSupport),
  }),
})

export const SearchHit = z.object({
  kind: z.enum(['account', 'person', 'asset', 'stock', 'gateway', 'quarantine']),
  id: z.string(),
  label: z.string(),
  note: z.string(),
  /** E-mail of the account it belongs to. */
  account: z.nullable(z.string()),
  type: z.nullable(AssetType),
  status: z.nullable(SimStatus),
})
export type SearchHit = z.output<typeof SearchHit>

/** At most eight of each kind. The search is kept in the staff log. */
export const listSearchHits = operation({
  name: 'backoffice.listSearchHits',
  method: 'GET',
  path: '/backoffice/search',
  summary: 'Find accounts, people, assets, stock and gateways by a name or a number',
  access: 'backoffice',
  query: z.object({ search: z.string().check(z.trim(), z.minLength(3, 'Enter at least three characters'), z.maxLength(100)) }),
  reply: z.object({ items: z.array(SearchHit) }),
})

export const StaffAsset = z.object({
  asset: Asset,
  /** `refused`: why the caller may not change what this account has, in words; null: they may. */
  account: z.object({ email: z.string(), team_name: z.string(), suspended: z.boolean(), refused: z.nullable(z.string()) }),
  /** As it was loaded into stock. */
  stock: z.nullable(
    z.object({ loaded_at: Time, registered_at: z.nullable(Time), iccid: z.nullable(z.string()), imsis: z.array(z.string()) })
  ),
  sessions: z.array(DataSession),
  log: z.array(StaffLogEntry),
})
export type StaffAsset = z.output<typeof StaffAsset>

/** `asset_id` is our id, the serial number or an ICCID, of any account. */
export const getStaffAsset = operation({
  name: 'backoffice.getStaffAsset',
  method: 'GET',
  path: '/backoffice/assets/{any_asset_id}',
  summary: 'One asset of any account; the customer sees that it was looked at',
  access: 'backoffice',
  reply: StaffAsset,
  problems: [notFound],
})

export const holdSim = operation({
  name: 'backoffice.holdSim',
  method: 'POST',
  path: '/backoffice/assets/{any_asset_id}/hold',
  summary: 'Hold the SIM of an asset: it loses its service',
  access: 'backoffice',
  body: z.object({ reason: Reason }),
  reply: StaffAsset,
  problems: [notFound, ownAccount, staffMayMore, simHeldAlready],
})

export const releaseSim = operation({
  name: 'backoffice.releaseSim',
  method: 'POST',
  path: '/backoffice/assets/{any_asset_id}/release',
  summary: 'Lift the hold on the SIM of an asset',
  access: 'backoffice',
  body: z.object({ reason: Reason }),
  reply: StaffAsset,
  problems: [notFound, ownAccount, staffMayMore, simNotHeld],
})
