import { deviceChanged, limitReached, simBlocked, simUnblocked, sessionCut } from '@masthead/contract/assets/events'
import { limitPeriods, type BlockCode } from '@masthead/contract/assets/sim'
import { webhookDeleted, webhookDisabled, webhookEnabled, webhookPaused, webhookResumed } from '@masthead/contract/developers/events'
import { eventKinds } from '@masthead/contract/events'
import { sentenceOf } from '@masthead/contract/kernel/event'
import type { Permission } from '@masthead/contract/kernel/permission'
import { namesAssets, readingPermissions } from '@masthead/contract/event-reading'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Severity } from '@masthead/contract/notifications/alert'
import type { HappenedEvent } from '../kernel/jobs/effects.ts'
import { agentMeaning, networkMeaning } from './device-alerts.ts'
import { moneyMeaning } from './money-alerts.ts'
import { noServiceWords } from './name-sims.ts'
import { poolMeaning } from './pool-alerts.ts'
import type { Cause } from './raise-alert.ts'
import { rolloutMeaning } from './rollout-alerts.ts'
import { supportMeaning } from './support-alerts.ts'

/** What an event means for whoever should look: a cause that it begins, or one that it ends. */
export type Meaning = { raise: Cause } | { resolve: string; words: string }

/** Blocks that hold many SIMs for one reason: that reason is said once, not for each SIM. */
const sharedBlocks: readonly BlockCode[] = ['pool_exhausted', 'balance', 'account_suspended']

const blockCause = (sim_id: string, code: BlockCode) =>
  sharedBlocks.includes(code) ? `sim_block:*:${code}` : `sim_block:${sim_id}:${code}`
const cutCause = (session_id: string) => `session_cut:${session_id}`
const webhookCause = (webhook_id: string) => `webhook:${webhook_id}`

const blockSeverity: Record<Exclude<BlockCode, 'rule'>, Severity> = {
  data_limit: 'warn',
  cost_cap: 'warn',
  pool_exhausted: 'critical',
  balance: 'critical',
  account_suspended: 'critical',
  imei_mismatch: 'critical',
  staff: 'warn',
  asset_off: 'info',
}

const lower = (words: string) => words.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())

/** What an event means; null: nothing that anybody must look at. */
export function meaningOf(event: HappenedEvent): Meaning | null {
  return (
    simMeaning(event) ??
    deviceMeaning(event) ??
    networkMeaning(event) ??
    agentMeaning(event) ??
    poolMeaning(event) ??
    moneyMeaning(event) ??
    cutMeaning(event) ??
    webhookMeaning(event) ??
    supportMeaning(event) ??
    rolloutMeaning(event) ??
    staffMeaning(event) ??
    securityMeaning(event)
  )
}

function simMeaning({ name, detail }: HappenedEvent): Meaning | null {
  if (name === simBlocked.name) {
    const { asset_id, asset_name, sim_id, code, words } = simBlocked.detail.parse(detail)
    // The rule has raised an alert of its own, one for all where it fired for many.
    if (code === 'rule') return null
    const shared = sharedBlocks.includes(code)
    const raise: Cause = {
      cause: blockCause(sim_id, code),
      severity: blockSeverity[code],
      source: 'policy',
      // Without the asset's name where many are concerned: not everybody may see that asset. Whoever reads it reads the names of theirs.
      title: shared ? noServiceWords('SIMs', 'have', code) : noServiceWords(asset_name, 'has', code),
      words,
      lasting: true,
      permission: readingPermissions.assets,
      ...(shared ? { link: `/assets?search=block:${code}` } : { asset_id, link: `/assets/${asset_id}` }),
    }
    return { raise }
  }
  if (name === limitReached.name) {
    const { asset_id, asset_name, sim_id, period, limit_bytes, used_bytes } = limitReached.detail.parse(detail)
    const raise: Cause = {
      cause: `limit_reached:${sim_id}:${period}`,
      severity: 'warn',
      source: 'policy',
      title: `The SIM of ${asset_name} is beyond its data limit`,
      words: `Used ${formatBytes(used_bytes)} of ${formatBytes(limit_bytes)} ${limitPeriods[period]}. Its network group only tells, so it goes on.`,
      lasting: false,
      permission: readingPermissions.assets,
      asset_id,
      link: `/assets/${asset_id}`,
    }
    return { raise }
  }
  if (name === simUnblocked.name) {
    const { sim_id, code } = simUnblocked.detail.parse(detail)
    return { resolve: blockCause(sim_id, code), words: 'The block was lifted' }
  }
  return null
}

/** Whoever has a SIM watched wants to know that it is in another device. */
function deviceMeaning({ name, detail }: HappenedEvent): Meaning | null {
  if (name !== deviceChanged.name) return null
  const { asset_id, asset_name, sim_id, old_imei, imei, watched } = deviceChanged.detail.parse(detail)
  if (!watched) return null
  return {
    raise: {
      cause: `device:${sim_id}`,
      severity: 'warn',
      source: 'policy',
      title: `The SIM of ${asset_name} moved to another device`,
      words: `From IMEI ${old_imei} to ${imei}. If that was you, accept the device or lock the SIM to it.`,
      lasting: false,
      permission: readingPermissions.assets,
      asset_id,
      link: `/assets/${asset_id}`,
    },
  }
}

/** A session that we asked a gateway to end, and that may go on. */
function cutMeaning({ name, detail }: HappenedEvent): Meaning | null {
  if (name !== sessionCut.name) return null
  const { asset_id, asset_name, session_id, answer, words } = sessionCut.detail.parse(detail)
  if (answer === 'ack' || answer === 'gone') return { resolve: cutCause(session_id), words: 'The session has ended' }
  return {
    raise: {
      cause: cutCause(session_id),
      severity: 'warn',
      source: 'network',
      title: `The session of ${asset_name} may go on: the gateway ${answer === 'nak' ? 'refused to cut it' : 'did not answer'}`,
      words,
      lasting: true,
      permission: readingPermissions.assets,
      asset_id,
      link: `/assets/${asset_id}`,
    },
  }
}

/** A webhook that is given up, for a while or for good, and what ends that. */
function webhookMeaning({ name, detail }: HappenedEvent): Meaning | null {
  const paused = name === webhookPaused.name ? webhookPaused.detail.parse(detail) : null
  const disabled = name === webhookDisabled.name ? webhookDisabled.detail.parse(detail) : null
  const failed = paused ?? (disabled?.because === 'failures' ? disabled : null)
  if (failed) {
    const raise: Cause = {
      cause: webhookCause(failed.webhook_id),
      severity: paused ? 'warn' : 'critical',
      source: 'api',
      title: paused ? `Deliveries of the webhook ${failed.webhook_name} keep failing` : `The webhook ${failed.webhook_name} was disabled`,
      words: paused
        ? `${paused.failures} tries failed: ${paused.words}. One delivery is tried from time to time until one succeeds.`
        : 'Its deliveries failed for days. Nothing is sent to it until somebody enables it.',
      lasting: true,
      permission: readingPermissions.developers,
      link: `/developer?tab=webhooks&webhook=${failed.webhook_id}`,
    }
    return { raise }
  }
  const ends = { [webhookResumed.name]: 'Deliveries arrive again', [webhookEnabled.name]: 'The webhook is enabled again' }
  const gone = { [webhookDisabled.name]: 'Somebody disabled the webhook', [webhookDeleted.name]: 'The webhook was deleted' }
  const words = { ...ends, ...gone }[name as typeof webhookResumed.name]
  return words === undefined ? null : { resolve: webhookCause((detail as { webhook_id: string }).webhook_id), words }
}

/** Of their own account, or of the installation: no customer is concerned. */
const ownStaffEvents = new Set(
  ['entered', 'left', 'refused', 'staff_granted', 'staff_revoked', 'inventory_loaded'].map((one) => `backoffice.${one}`)
)
const staffSeverity: Record<string, Severity> = {
  'backoffice.account_suspended': 'critical',
  'backoffice.sim_held': 'warn',
  'backoffice.asset_taken': 'warn',
}

/** Somebody of the support staff looked at the account or changed it: its people are notified. */
function staffMeaning(event: HappenedEvent): Meaning | null {
  const { name, detail, actor_kind, actor_email, asset_id } = event
  if (actor_kind !== 'staff' || ownStaffEvents.has(name)) return null
  return {
    raise: {
      cause: `staff:${actor_email}:${name}:${asset_id ?? ''}`,
      severity: staffSeverity[name] ?? 'info',
      source: 'staff',
      // What is about no single asset goes to people who may not know the assets that it names.
      title: `Support staff ${asset_id === null && namesAssets(detail) ? 'changed assets of this account' : lower(sentenceOf(eventKinds.get(name), name, detail))}`,
      words: `By ${actor_email}. Everything they do on your account is in your activities.`,
      lasting: false,
      // Whoever may not read of it among the activities reads of it in no alert.
      permission: readingPermissions.backoffice,
      asset_id,
      // By who did it: corrections, holds and credits are not among the activities of the backoffice.
      link: '/activities?actor=staff',
    },
  }
}

/** What changes who can get in, or where things are sent. For whom: a permission, or `owner` for what is a person's own. */
export const securityRules: Readonly<Record<string, readonly [severity: Severity, whom: Permission | 'owner']>> = {
  'auth.password_changed': ['warn', 'owner'],
  'auth.email_changed': ['warn', 'owner'],
  'auth.second_factor_on': ['info', 'owner'],
  'auth.second_factor_off': ['warn', 'owner'],
  'auth.recovery_codes_renewed': ['info', 'owner'],
  'auth.recovery_code_used': ['warn', 'owner'],
  'auth.passkey_added': ['warn', 'owner'],
  'auth.passkey_removed': ['warn', 'owner'],
  'auth.identity_linked': ['warn', 'owner'],
  'auth.earlier_access_ended': ['critical', 'owner'],
  'auth.identity_unlinked': ['info', 'owner'],
  'developers.api_key_created': ['info', readingPermissions.developers],
  'developers.api_key_rotated': ['info', readingPermissions.developers],
  'developers.webhook_created': ['info', readingPermissions.developers],
  'teams.invitation_accepted': ['info', readingPermissions.teams],
  'teams.member_updated': ['info', readingPermissions.teams],
  'teams.member_left': ['info', readingPermissions.teams],
}

const links = [
  ['developers.webhook', '/developer?tab=webhooks'],
  ['developers.', '/developer'],
  ['teams.', '/profile?tab=team'],
  ['', '/profile'],
] as const

function securityMeaning({ id, name, detail, actor_email }: HappenedEvent): Meaning | null {
  const rule = securityRules[name]
  if (!rule) return null
  const [severity, whom] = rule
  return {
    raise: {
      cause: `security:${id}`,
      severity,
      source: 'security',
      title: `${actor_email} ${lower(sentenceOf(eventKinds.get(name), name, detail))}`,
      actor_email,
      words: 'If this was not you or your team, change your password and check your sessions and your team.',
      lasting: false,
      ...(whom === 'owner' ? { audience: 'owner' } : { permission: whom }),
      link: links.find(([start]) => name.startsWith(start))![1],
    },
  }
}
