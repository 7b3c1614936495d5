import {
  joinedFailed,
  rolloutAborted,
  rolloutFinished,
  rolloutHalted,
  rolloutResumed,
  rolloutRetried,
} from '@masthead/contract/alpon-fleets/events'
import { readingPermissions } from '@masthead/contract/event-reading'
import type { Db } from '../kernel/app.ts'
import type { HappenedEvent } from '../kernel/jobs/effects.ts'
import type { Meaning } from './alert-rules.ts'

export const rolloutCause = 'rollout:'

const ends: Record<string, string> = {
  [rolloutResumed.name]: 'Somebody resumed the rollout',
  [rolloutRetried.name]: 'Somebody has the failed devices tried again',
  [rolloutAborted.name]: 'Somebody aborted the rollout',
  [rolloutFinished.name]: 'The rollout has finished',
}

/** A rollout that halted waits for somebody who decides. What fails after it has finished halts nothing, and is to be looked at once. */
export function rolloutMeaning({ name, detail }: HappenedEvent): Meaning | null {
  if (name === rolloutHalted.name) {
    const { fleet_id, fleet_name, version, rollout_id, failed } = rolloutHalted.detail.parse(detail)
    return {
      raise: {
        cause: `${rolloutCause}${rollout_id}`,
        severity: 'critical',
        source: 'device',
        title: `The rollout of version ${version} to ${fleet_name} halted`,
        words: `${becauseOf(failed)}, and nothing begins on others. Look at its devices, and decide how it goes on.`,
        lasting: true,
        permission: readingPermissions.alpon_fleets,
        link: `/alpon-fleets/${fleet_id}`,
      },
    }
  }
  if (name === joinedFailed.name) {
    const { fleet_id, fleet_name, version, rollout_id, failed } = joinedFailed.detail.parse(detail)
    return {
      raise: {
        cause: `joined_failed:${rollout_id}`,
        severity: 'warn',
        source: 'device',
        title: `Version ${version} could not be brought to ${devicesOf(failed)} of ${fleet_name}`,
        words: 'The rollout goes on without. Look at the assets of the fleet for the reason, and bring the version to them once more.',
        lasting: false,
        permission: readingPermissions.alpon_fleets,
        link: `/alpon-fleets/${fleet_id}`,
      },
    }
  }
  const words = ends[name]
  return words === undefined ? null : { resolve: `${rolloutCause}${(detail as { rollout_id: string }).rollout_id}`, words }
}

const devicesOf = (count: number) => (count === 1 ? '1 device' : `${count.toLocaleString('en')} devices`)
const becauseOf = (failed: number) => (failed === 0 ? 'Its pilot is gone' : `${devicesOf(failed)} failed or went offline in the try`)

/** Whether the rollout of a cause is halted still; it is not where its fleet is gone. */
export async function isHalted(db: Db, account_id: string, cause: string): Promise<boolean> {
  const row = await db
    .selectFrom('rollout')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', cause.slice(rolloutCause.length))
    .where('state', '=', 'halted')
    .executeTakeFirst()
  return row !== undefined
}
