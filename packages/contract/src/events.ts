import * as alpon_fleets from './alpon-fleets/events.ts'
import * as bulk_changes from './assets/bulk/events.ts'
import * as assets from './assets/events.ts'
import * as views from './assets/views/events.ts'
import * as auth from './auth/events.ts'
import * as backoffice from './backoffice/events.ts'
import * as billing from './billing/events.ts'
import * as cost_limits from './billing/cost-limits/events.ts'
import * as coupons from './billing/coupons/events.ts'
import * as invoices from './billing/invoices/events.ts'
import * as refills from './billing/refill/events.ts'
import * as core from './core/events.ts'
import * as datapools from './datapools/events.ts'
import * as containers from './devices/agent/events.ts'
import * as device_networks from './devices/network/events.ts'
import * as developers from './developers/events.ts'
import * as devices from './devices/events.ts'
import type { EventCategory } from './event-reading.ts'
import type { EventKind } from './kernel/event.ts'
import * as network_groups from './network-groups/events.ts'
import * as notifications from './notifications/events.ts'
import * as registry from './registry/events.ts'
import * as reports from './reports/events.ts'
import * as tags from './tags/events.ts'
import * as teams from './teams/events.ts'
import * as terminal from './terminal/events.ts'

/** Each area with events has a permission to read them by, and the other way round. */
const areas: Record<EventCategory, object> = {
  alpon_fleets,
  assets: { ...assets, ...bulk_changes, ...views, ...containers, ...device_networks },
  auth,
  backoffice,
  billing: { ...billing, ...cost_limits, ...coupons, ...invoices, ...refills },
  core,
  datapools,
  developers,
  devices,
  network_groups,
  notifications,
  registry,
  reports,
  tags,
  teams,
  terminal,
}

/** Every event by its name: what the activity log turns into sentences. */
export const eventKinds: ReadonlyMap<string, EventKind> = new Map(
  Object.values(areas)
    .flatMap((area) => Object.values(area) as EventKind[])
    .map((kind) => [kind.name, kind])
)
