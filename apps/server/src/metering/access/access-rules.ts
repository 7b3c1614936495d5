import { desiredService } from '@masthead/contract/assets/service'
import type { BlockCode } from '@masthead/contract/assets/sim'
import { networkRefusal, type OnNetwork } from '@masthead/contract/network-groups/rules'
import { refuserOf } from '../../assets/service/index.ts'
import type { FoundSim } from '../meter-sims.ts'
import type { Allowance } from './pool-allowance.ts'

const usual = 300 // s
const shortest = 60 // s: RFC 2869 §5.16 allows no less

/**
 * How often a gateway is asked to report, in seconds: more often as a SIM nears its limit or the end of its data pools, because what is
 * used between two reports is what these can be overshot by. `limit` and `used` are bytes of the limit's period, or of the terms of the pools.
 */
export function interimInterval({ limit, used }: Allowance): number {
  if (limit === null) return usual
  const left = Math.max(0, 1 - used / limit)
  if (left > 0.25) return usual
  return Math.max(shortest, Math.round((usual * left) / 0.25 / shortest) * shortest)
}

const day = 86_400 // s
const shortestSession = 900 // s

/** How long a session may last, in seconds: shorter as its SIM nears its limit or the end of its pools, so that it asks again, and is answered by what it has used by then. */
export function sessionSeconds({ limit, used }: Allowance): number {
  if (limit === null) return day
  const left = Math.max(0, 1 - used / limit)
  return left > 0.25 ? day : Math.max(shortestSession, Math.round((day * left) / 0.25))
}

/** Its group or its pools do not allow the network, or no credits are left for it, or it costs more than the account allows; or why the SIM has no service anywhere. */
type RefusalReason = 'unknown' | 'stock' | 'state' | `network:${'group' | 'pool' | 'balance' | 'price'}` | `blocked:${BlockCode}`

/**
 * What an Access-Request is answered. `cause` is the label of a counter; `reason` tells apart what is counted by the hour. `own_words`: what the SIM's own account
 * reads of it, where its gateway receives less.
 */
export type AccessAnswer =
  | { accept: true; cause: 'accepted'; interim_seconds: number; session_seconds: number }
  | {
      accept: false
      cause: 'unknown' | 'stock' | 'state' | 'blocked' | 'network'
      reason: RefusalReason
      words: string
      own_words?: string
    }

/** Whether a SIM may come on the network (`pools`: what its data pools give there), and why not, in words that a gateway's operator can use. */
export function answerAccess(
  sim: FoundSim | null,
  { inStock, imei, pools, ...on }: OnNetwork & { inStock: boolean; imei: string | null; pools: Allowance }
): AccessAnswer {
  if (!sim) {
    return inStock
      ? { accept: false, cause: 'stock', reason: 'stock', words: 'This SIM is in stock and not registered yet' }
      : { accept: false, cause: 'unknown', reason: 'unknown', words: 'No SIM has this number' }
  }
  const [reason] = desiredService(sim, imei === null ? undefined : { ...sim, imei }).reasons
  const ofGroup = (!reason && sim.rules && networkRefusal(sim.rules, on)?.words) || null
  if (ofGroup !== null) return { accept: false, cause: 'network', reason: 'network:group', words: ofGroup }
  if (!reason && sim.pool_refusal !== null)
    return { accept: false, cause: 'network', reason: `network:${refuserOf(sim.pool_refusal)}`, words: sim.pool_refusal }
  if (!reason) {
    const allowances = [{ limit: sim.limit_bytes, used: sim.limit_used }, pools]
    const [interim_seconds, session_seconds] = [Math.min(...allowances.map(interimInterval)), Math.min(...allowances.map(sessionSeconds))]
    return { accept: true, cause: 'accepted', interim_seconds, session_seconds }
  }
  const { code, words } = reason
  if (code === 'state') return { accept: false, cause: 'state', reason: 'state', words: `This SIM is ${words.toLowerCase()}` }
  const blocked = (why: string) => `This SIM is blocked: ${why}`
  // What a customer calls a rule is nothing for a gateway's operator.
  const forGateway = code === 'rule' ? 'held by an alert rule of its account' : words
  return { accept: false, cause: 'blocked', reason: `blocked:${code}`, words: blocked(forGateway), own_words: blocked(words) }
}
