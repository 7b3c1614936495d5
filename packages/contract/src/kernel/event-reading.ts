import { namingFields } from './event.ts'
import type { Permission } from './permission.ts'

/**
 * What one must hold to read events of a category: in the activities, live, and by webhook. The categories are the areas that have events;
 * one without a permission here does not compile (events.ts).
 */
export const readingPermissions = {
  assets: 'assets.view',
  auth: 'profile.view',
  backoffice: 'profile.view',
  billing: 'billing.view',
  developers: 'developers.view',
  notifications: 'notifications.view',
  tags: 'assets.view',
  teams: 'profile.view',
} as const satisfies Record<string, Permission>

export type EventCategory = keyof typeof readingPermissions
export const eventCategories = Object.keys(readingPermissions) as EventCategory[]

/** The categories that somebody with these permissions reads. */
export const categoriesRead = (permissions: 'all' | readonly string[]): EventCategory[] =>
  eventCategories.filter((category) => permissions === 'all' || permissions.includes(readingPermissions[category]))

/** Whether they may hear the name of what happened (`assets.sim_blocked`). What is no event, like usage, has no permission here. */
export function mayHearName(permissions: 'all' | readonly string[], name: string): boolean {
  const category = name.split('.')[0]!
  if (permissions === 'all' || !Object.hasOwn(readingPermissions, category)) return true
  return permissions.includes(readingPermissions[category as EventCategory])
}

/**
 * Fields of a detail that tell of more than whoever is limited to tags sees: names of assets, and keys and webhooks, which may reach further
 * than they do. An event that has one and is about no single asset is nothing for them.
 */
export const wideFields = [...namingFields, 'api_key_id', 'webhook_id'] as const

/** What an alert asks of its readers where nobody but the owner is to know of it. */
export const ownerOnly = 'owner'
