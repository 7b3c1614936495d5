import type { PastBlock, ServiceHistory, ServiceSpan } from '@masthead/contract/assets/past/history-operations'
import { servedStates } from '@masthead/contract/assets/service'
import { blockCodes, simStates, type BlockCode } from '@masthead/contract/assets/sim'
import { formatExactHere } from '@masthead/contract/kernel/time'
import type { Service, Step } from '../service-path.ts'
import { networkWords } from '../session-words.ts'
import { byWords, lower } from '../sim-words.ts'

/** The conditions we keep watch over, in the order of every SIM. */
const watched: readonly { id: string; codes: readonly BlockCode[]; met: string; name: string }[] = [
  { id: 'account', codes: ['account_suspended', 'balance'], met: 'Not blocked by the account', name: 'Account' },
  { id: 'staff', codes: ['staff'], met: 'Not held by staff', name: 'Staff' },
  { id: 'rule', codes: ['rule'], met: 'Not held by a rule', name: 'Alert rules' },
  { id: 'device', codes: ['imei_mismatch'], met: 'Device accepted', name: 'Device' },
  { id: 'pool', codes: ['pool_exhausted'], met: 'Pool not used up', name: 'Data pool' },
  { id: 'limit', codes: ['data_limit', 'cost_cap'], met: 'Within its limits', name: 'Limits' },
]

/** What took the service in a span; null: nothing did. Only what is certain. */
export function breakOfSpan({ state, blocks }: ServiceSpan): string | null {
  if (state === null) return null
  if (!servedStates.includes(state)) return `set to ${lower(simStates[state])}`
  const off = blocks.find(({ unsure }) => !unsure)
  return off ? lower(blockCodes[off.code]) : null
}

/** Whether it had service: null where that is not kept. */
export const hadService = (span: ServiceSpan): boolean | null =>
  breakOfSpan(span) !== null ? false : span.state === null || span.blocks.length > 0 ? null : true

const spanAt = ({ spans }: ServiceHistory, at: number): ServiceSpan | undefined =>
  spans.findLast(({ from }) => Date.parse(from) <= at) ?? spans[0]

/** How a SIM's service stood at a time within its history. */
export function pastService(history: ServiceHistory, at: number, hasPool: boolean): Service {
  const span = spanAt(history, at)
  const when = formatExactHere(new Date(at).toISOString())
  if (!span) return { tone: 'idle', title: `${when}: not kept`, words: [], steps: [] }
  const served = hadService(span)
  const title =
    served === null
      ? `${when}: whether this SIM had service is not kept`
      : served
        ? `${when}: this SIM had service`
        : `${when}: no service, ${breakOfSpan(span)}`
  return {
    tone: served === null ? 'idle' : served ? 'ok' : 'bad',
    title,
    words: ['You look at the past.', ...span.blocks.flatMap(blockWords), nextWords(history, at, served)].filter(Boolean),
    steps: stepsOf(history, span, at, hasPool),
  }
}

function blockWords({ code, since, words, unsure }: PastBlock): string[] {
  const began = since ? `since ${formatExactHere(since)}` : 'since before this is kept'
  if (unsure && code === 'balance')
    return [`The account had no credits ${began}; whether this SIM went on with data of a pool, or where data costs nothing, is not kept.`]
  if (unsure) return [`${blockCodes[code]} ${began}; when it was lifted is not kept.`]
  return [`${blockCodes[code]} ${began}${words ? `: ${words}` : ''}.`]
}

/** What came next, in a sentence. */
function nextWords({ spans }: ServiceHistory, at: number, served: boolean | null): string {
  const next = spans.find((span) => Date.parse(span.from) > at && hadService(span) !== served)
  if (!next) return 'It stayed so until now.'
  const then = hadService(next)
  const moment = formatExactHere(next.from)
  if (then === null) return `From ${moment} on it is not kept.`
  return then ? `It had service from ${moment} on.` : `The next step to break was ${breakOfSpan(next)}, at ${moment}.`
}

function stepsOf(history: ServiceHistory, span: ServiceSpan, at: number, hasPool: boolean): Step[] {
  const state = stateStep(span)
  let broken = state.is === 'broken'
  const held = watched.flatMap(({ id, codes, met, name }): Step[] => {
    const block = codes.flatMap((code) => span.blocks.find((one) => one.code === code) ?? [])[0]
    if (id === 'pool' && !block && !hasPool) return []
    if (id === 'rule' && !block) return []
    if (block?.unsure) return [{ id, title: name, note: `${lower(blockCodes[block.code])}, its end is not kept`, is: 'unknown' }]
    if (block) {
      broken = true
      return [{ id, title: blockCodes[block.code], note: block.words ?? '', is: 'broken' }]
    }
    if (broken) return [{ id, title: name, note: 'not reached', is: 'off' }]
    return [{ id, title: met, note: id === 'limit' ? limitNote(history, at) : '', is: 'met' }]
  })
  return [state, ...held, networkStep(history, at)]
}

function stateStep({ state, state_since, state_by, blocks }: ServiceSpan): Step {
  if (state === null) return { id: 'state', title: 'SIM', note: 'not kept', is: 'unknown' }
  const off = blocks.find(({ code, unsure }) => code === 'asset_off' && !unsure)
  if (off && servedStates.includes(state)) return { id: 'state', title: blockCodes.asset_off, note: '', is: 'broken' }
  const note = state_since ? `${state_by ? `by ${byWords(state_by)}, ` : ''}${formatExactHere(state_since)}` : 'since it was registered'
  return { id: 'state', title: `SIM ${lower(simStates[state])}`, note, is: servedStates.includes(state) ? 'met' : 'broken' }
}

const limitNote = ({ marks }: ServiceHistory, at: number): string =>
  marks.findLast((mark) => Date.parse(mark.at) <= at && mark.words.startsWith('Limit'))?.words ?? ''

function networkStep({ sessions, refusals, network_from }: ServiceHistory, at: number): Step {
  const session = sessions.findLast(({ from, until }) => Date.parse(from) <= at && (until === null || at < Date.parse(until)))
  if (session) return { id: 'network', title: 'On the network', note: networkWords(session) ?? 'connected', is: 'met' }
  if (at < Date.parse(network_from)) return { id: 'network', title: 'Network', note: 'not kept', is: 'unknown' }
  // What repeats within an hour is kept as one.
  const refused = refusals.findLast(({ first_at, last_at }) => Date.parse(first_at) <= at && at <= Date.parse(last_at) + hour)
  if (!refused) return { id: 'network', title: 'Network', note: 'no session', is: 'off' }
  const times = refused.count === 1 ? 'once' : `${refused.count} times`
  return { id: 'network', title: 'Access refused', note: `${times}${refused.words ? `: ${refused.words}` : ''}`, is: 'broken' }
}

const hour = 3_600_000

/** When something changed, oldest first: where the look back can stop. */
export const changesOf = ({ spans, marks }: ServiceHistory): number[] =>
  [...new Set([...spans.slice(1).map(({ from }) => Date.parse(from)), ...marks.map(({ at }) => Date.parse(at))])].toSorted((a, b) => a - b)
