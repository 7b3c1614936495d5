import type { Asset } from '@masthead/contract/assets/asset'
import {
  blockCodes,
  goesOnWords,
  simCan,
  simLeadsTo,
  simStates,
  type Actionable,
  type BlockCode,
  type DataSession,
  type Sim,
  type SimAction,
  type SimBlock,
} from '@masthead/contract/assets/sim'
import { formatRelative, monthNames } from '@masthead/contract/kernel/time'

/** "1 Dec", in UTC. */
export function shortDay(at: string): string {
  const time = new Date(at)
  return `${time.getUTCDate()} ${monthNames[time.getUTCMonth()]}`
}

/** "3 d ago", "just now". `now` in milliseconds. */
export const agoWords = (at: string, now: number): string => (Date.parse(at) > now - 1000 ? 'just now' : formatRelative(at, now))

/** Who did it, short: the name in front of the @; we ourselves are Masthead. */
export const byWords = (by: string | null): string => {
  if (by === null) return 'somebody'
  if (by === 'system') return 'Masthead'
  return by.split('@')[0]!
}

const shortBlocks: Partial<Record<BlockCode, (block: SimBlock, sim: Sim) => string>> = {
  // A day is one of UTC.
  data_limit: (_, { usage }) => `Data limit, to ${usage.limit_period === 'day' ? '00:00 UTC' : shortDay(usage.period_end)}`,
  pool_exhausted: () => 'Data pool used up',
  staff: (block) => `Held by staff, ${shortDay(block.since)}`,
}

/** Why a blocked SIM is blocked, in a few words: the first block, and how many more there are. */
export function blockLine(sim: Sim): string {
  const [first, ...more] = sim.blocks
  if (!first) return ''
  return (shortBlocks[first.code]?.(first, sim) ?? blockCodes[first.code]) + (more.length > 0 ? ` +${more.length}` : '')
}

/** Why a session is cut for where it is, in a few words; where that is not said it is the group. */
const notHere: Record<NonNullable<DataSession['forbidden_by']>, string> = {
  group: 'Network not allowed',
  pool: 'No pool data here',
  balance: 'No credits left here',
  price: 'Data costs too much here',
}
export const notHereWords = ({ forbidden_by }: Pick<DataSession, 'forbidden_by'>): string => notHere[forbidden_by ?? 'group']

/** The second line of a SIM's status: why it is so, or what it does now. `now` in milliseconds. */
export function simLine({ sim, online, last_seen_at }: Pick<Asset, 'sim' | 'online' | 'last_seen_at'>, now: number): string {
  if (!sim) return ''
  const changed = `By ${byWords(sim.state_changed_by)}, ${sim.state_changed_at ? agoWords(sim.state_changed_at, now) : 'long ago'}`
  const here = sim.refused
    ? 'Refused'
    : online
      ? 'Online'
      : sim.session?.silent
        ? 'Online, but silent'
        : last_seen_at
          ? 'Offline'
          : 'Never seen'
  const live = sim.session?.forbidden ? notHereWords(sim.session) : here
  const lines: Record<Sim['status'], string> = {
    blocked: blockLine(sim),
    active: live,
    ready: sim.test ? 'Free, for a test' : 'Active when it connects',
    standby: online ? live : 'Active when it connects',
    // Until the gateway has answered, its session may still be open.
    inactive: sim.session
      ? goesOnWords(sim.session)
        ? 'Its session goes on'
        : 'Its session is being cut'
      : sim.state_changed_at
        ? changed
        : 'Set to inactive',
    terminated: sim.state_changed_at ? changed : 'Terminated permanently',
    inventory: 'Not registered yet',
  }
  return lines[sim.status]
}

const refusals: Partial<Record<Sim['state'], string>> = {
  terminated: 'This SIM is terminated permanently',
  inventory: 'This SIM is not registered yet',
}

/** Why an action cannot be done on an asset's SIM, in words; null when it can. */
export function simRefusal(action: SimAction, sim: Actionable | null): string | null {
  if (!sim) return 'This asset has no SIM'
  if (simCan(action, sim)) return null
  if (action === 'ready' && sim.state === 'inactive') return 'This SIM was active before, and ready is for those that never were'
  const isSo = sim.state === simLeadsTo[action]
  return refusals[sim.state] ?? `This SIM is ${simStates[sim.state].toLowerCase()}${isSo ? ' already' : ''}`
}

/** Why an asset cannot be switched off, in words; null when it can. */
export function switchRefusal(sim: Pick<Sim, 'state'> | null): string | null {
  if (!sim) return 'This asset has no SIM'
  return sim.state === 'terminated' ? 'This SIM is terminated' : null
}

/** Its asset is: a reason on each of its SIMs. */
export const isSwitchedOff = (sim: Sim): boolean => sim.blocks.some(({ code }) => code === 'asset_off')

/** For the middle of a sentence; an abbreviation stays as it is. */
export const lower = (words: string) => (/^[A-Z]{2}/.test(words) ? words : words[0]!.toLowerCase() + words.slice(1))
