import type { EnforcementProof } from '@masthead/contract/assets/enforcement'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { latencyWords } from './session-words.ts'

export type ProofStep = {
  title: string
  words: string
  /** When, and how long after the report that reached the limit. */
  at: string | null
  since: string | null
}

/** "1 GB a month"; the credits of an account are no number of bytes. */
export const limitWords = ({ limit_bytes, limit_period }: Pick<EnforcementProof, 'limit_bytes' | 'limit_period'>): string =>
  limit_period === 'credits' ? 'No credits left' : `${formatBytes(limit_bytes)} a ${limit_period}`

const bytes = (count: number) => `${count.toLocaleString('en')} B`
const requests = (count: number) => (count === 1 ? 'one request' : `${count} requests`)

/** What happened at a limit, in order: from what it was to what came after the session was gone. */
export function proofSteps(proof: EnforcementProof): ProofStep[] {
  const { limit_bytes, limit_period, group_name, pool, reached_at, by_change, used_bytes, record, session, decision, chain, rejected } =
    proof
  const { asked_at, answered_at, answer, answer_words, attempts, cut_at, overshoot_bytes, lifted_at } = proof
  const ofCredits = limit_period === 'credits'
  const since = (at: string | null) => {
    if (at === null) return null
    const ms = Date.parse(at) - Date.parse(reached_at)
    return ms === 0 ? '0' : `${ms < 0 ? '−' : '+'}${latencyWords(Math.abs(ms))}`
  }
  const step = (title: string, words: string, at: string | null): ProofStep => ({ title, words, at, since: since(at) })
  const entry = chain ? `, entry ${chain.number.toLocaleString('en')} of the chain` : ''
  const counted =
    used_bytes === null || ofCredits
      ? ''
      : pool
        ? ` All SIMs of the data pool had taken ${bytes(used_bytes)} of it by then: the record that used it up may be another SIM’s.`
        : ` Counted: ${bytes(used_bytes)}.`
  const steps = [
    step(
      'The limit',
      ofCredits
        ? 'The credits of the account: they were used up, and the next byte of this SIM would be charged.'
        : `${bytes(limit_bytes)} a ${limit_period}, ${pool ? `what the data pool ${pool.name} allows` : group_name ? `from the network group ${group_name}` : 'the SIM’s own'}.`,
      null
    ),
    by_change
      ? step(
          'The change',
          `${used_bytes === null ? '' : `${bytes(used_bytes)} were counted already. `}${pool ? 'The SIM came to the data pool after that.' : 'The limit was set below that, or the SIM came under it.'}`,
          reached_at
        )
      : step(
          pool || ofCredits ? 'Its last record' : 'The last record',
          record
            ? `${session ? `A report of session ${session.acct_session_id} from gateway ${session.gateway}: ` : ''}${bytes(record.bytes)} more.${counted}`
            : `The record itself is not kept.${counted}`,
          record?.received_at ?? null
        ),
    step(
      'The decision',
      pool
        ? `The data pool gave nothing more${used_bytes === null ? '' : `, ${bytes(used_bytes)} were taken of it`}: its SIMs are rejected, code pool_exhausted. Written in the row of its term${entry}.`
        : ofCredits
          ? `No credits were left: SIMs whose next byte would be charged are blocked, code balance. Written in the row of the account’s charges${entry}.`
          : `${used_bytes === null ? 'Blocked' : `Over the limit by ${bytes(Math.max(0, used_bytes - limit_bytes))}: blocked`}, code data_limit. Written together with the ${by_change ? 'change' : 'record'}${entry}.`,
      decision?.at ?? reached_at
    ),
  ]
  if (asked_at === null) {
    steps.push(
      step(
        'No Disconnect-Request',
        cut_at === null ? 'A session is open, and its gateway is asked next.' : 'No session was open, or it ended by itself.',
        null
      )
    )
  } else {
    steps.push(
      step(
        'Disconnect-Request sent',
        `To ${session?.gateway ?? 'the gateway'}${session ? `, Acct-Session-Id ${session.acct_session_id}` : ''}.`,
        asked_at
      )
    )
    const words = answer === null ? 'None yet.' : `${answer_words ?? ''}. ${attempts === null ? '' : `After ${requests(attempts)}.`}`
    steps.push(step('The answer', words.replace('..', '.').trim(), answered_at))
  }
  steps.push(
    step(
      'The final count',
      `In all ${bytes(overshoot_bytes)} (${formatBytes(overshoot_bytes)}) beyond ${by_change ? 'what was counted at the change' : ofCredits ? 'the decision' : 'the limit'}.`,
      cut_at
    )
  )
  const attaches = rejected === 1 ? 'One attach' : `${rejected.toLocaleString('en')} attaches`
  const until = lifted_at ? ' until the block was lifted' : ' since'
  steps.push(
    step('New attempts', rejected === 0 ? `None was rejected for it${until}.` : `${attaches}${until}, rejected for it.`, lifted_at)
  )
  return steps
}
