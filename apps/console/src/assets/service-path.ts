import { hasService } from '@masthead/contract/assets/service'
import { blockCodes, type BlockCode, type Sim } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { networkWords } from './session-words.ts'
import { agoWords, byWords } from './sim-words.ts'

/** One condition of service: met, broken, or (the network, behind a break) out of reach. */
export type Step = { id: string; title: string; note: string; is: 'met' | 'broken' | 'off' | 'waiting' }

export type Service = {
  tone: 'ok' | 'bad' | 'idle' | 'info'
  /** Whether it has service, in a few words. */
  title: string
  /** What broke it and what restores it, a sentence each. */
  words: string[]
  /** The conditions that are met, in their order, then those that are broken, then the network. */
  steps: Step[]
  /** What restores service, as far as its people can. */
  offer: 'activate' | 'switch_on' | null
}

const stateTitles: Record<Sim['state'], string> = {
  inventory: 'SIM not registered',
  ready: 'SIM ready',
  active: 'SIM set to active',
  inactive: 'SIM set to inactive',
  standby: 'SIM on standby',
  terminated: 'SIM terminated',
}

function stateStep(sim: Sim, now: number): Step {
  const by = sim.state_changed_at ? `by ${byWords(sim.state_changed_by)}, ${agoWords(sim.state_changed_at, now)}` : ''
  const notes: Partial<Record<Sim['state'], string>> = {
    ready: 'active with its first session',
    standby: 'active again when it connects',
    terminated: by || 'permanently',
  }
  const met = hasService({ state: sim.state, blocks: [] })
  return {
    id: 'state',
    title: stateTitles[sim.state],
    note: notes[sim.state] ?? (by || 'since it was registered'),
    is: met ? 'met' : 'broken',
  }
}

/** The conditions we keep watch over. One that is broken takes its words from the block. */
function conditions(sim: Sim, now: number): Step[] {
  const { usage } = sim
  const held = (code: BlockCode) => sim.blocks.find((block) => block.code === code)
  const used = formatBytes(usage.limit_used_bytes ?? 0)
  const limit =
    usage.limit_bytes === null
      ? 'no limit set'
      : `${used} of ${formatBytes(usage.limit_bytes)}${usage.limit_period === 'day' ? ' today' : ''}`
  const watched: { code: BlockCode; title: string; note: string; always: boolean }[] = [
    { code: 'account_suspended', title: 'Account in good standing', note: 'not suspended', always: true },
    {
      code: 'imei_mismatch',
      title: sim.imei ? 'Device accepted' : 'Any device accepted',
      note: sim.imei ? `IMEI ${sim.imei}` : 'none seen yet',
      always: true,
    },
    { code: 'data_limit', title: 'Within its data limit', note: limit, always: true },
    { code: 'pool_exhausted', title: 'Pool has data', note: sim.data_pool?.name ?? '', always: sim.data_pool !== null },
    { code: 'balance', title: 'Credits available', note: '', always: false },
    { code: 'staff', title: 'Not held by staff', note: '', always: false },
    { code: 'asset_off', title: 'Asset switched on', note: '', always: false },
  ]
  return watched
    .filter(({ code, always }) => always || held(code) !== undefined)
    .map(({ code, title, note }): Step => {
      const block = held(code)
      if (!block) return { id: code, title, note, is: 'met' }
      return { id: code, title: blockCodes[code], note: code === 'data_limit' ? limit : agoWords(block.since, now), is: 'broken' }
    })
}

function networkStep(sim: Sim, open: boolean): Step {
  const { session } = sim
  if (session) {
    const where = networkWords(session) ?? 'connected'
    if (!open) return { id: 'network', title: 'Network', note: 'session is being cut', is: 'off' }
    if (session.forbidden) return { id: 'network', title: 'Network not allowed', note: where, is: 'waiting' }
    return session.silent
      ? { id: 'network', title: 'Network silent', note: where, is: 'waiting' }
      : { id: 'network', title: 'On the network', note: where, is: 'met' }
  }
  return open
    ? { id: 'network', title: 'Network', note: 'waiting for the device', is: 'waiting' }
    : { id: 'network', title: 'Network', note: 'access is rejected', is: 'off' }
}

/** For the middle of a sentence; an abbreviation stays as it is. */
export const lower = (words: string) => (/^[A-Z]{2}/.test(words) ? words : words[0]!.toLowerCase() + words.slice(1))
const sentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`)

/** Its asset is: a reason on each of its SIMs. */
export const isSwitchedOff = (sim: Sim): boolean => sim.blocks.some(({ code }) => code === 'asset_off')

/** Why a SIM has service or not, from its state and its blocks. `now` in milliseconds. */
export function serviceOf(sim: Sim, now: number): Service {
  const open = hasService(sim)
  const all = [stateStep(sim, now), ...conditions(sim, now)]
  const steps = [...all.filter((step) => step.is === 'met'), ...all.filter((step) => step.is !== 'met'), networkStep(sim, open)]
  const blocked = sim.blocks.map(({ words, clears }) => `${sentence(words)} Service returns ${sentence(lower(clears))}`)
  const service = (rest: Pick<Service, 'tone' | 'title'> & Partial<Service>): Service => ({ words: [], offer: null, steps, ...rest })
  switch (sim.state) {
    case 'terminated':
      return service({
        tone: 'idle',
        title: 'No service: this SIM is terminated',
        words: ['It has left the network permanently and cannot be activated again.'],
      })
    case 'inventory':
      return service({ tone: 'idle', title: 'No service: this SIM is not registered yet' })
    case 'inactive': {
      const since = sim.state_changed_at ? ` ${agoWords(sim.state_changed_at, now)}` : ''
      const also = sim.blocks.length > 0 ? [`It is also blocked. ${blocked.join(' ')}`] : []
      const who = sim.state_changed_at ? `Deactivated by ${byWords(sim.state_changed_by)}${since}.` : 'It was deactivated.'
      return service({
        tone: 'idle',
        title: 'No service: this SIM is set to inactive',
        words: [`${who} It comes back on the network as soon as it is activated.`, ...also],
        offer: 'activate',
      })
    }
    case 'ready':
    case 'active':
    case 'standby': {
      if (!open) {
        const [first] = sim.blocks
        const kept = `The SIM is still set to ${sim.state}.`
        const title = `No service: ${lower(blockCodes[first!.code])}`
        return service({ tone: 'bad', title, words: [...blocked, kept], offer: isSwitchedOff(sim) ? 'switch_on' : null })
      }
      if (sim.session?.silent)
        return service({
          tone: 'info',
          title: 'In service, but silent',
          words: ['Its session is open, but the gateway has not reported it for three intervals.'],
        })
      if (sim.session) return service({ tone: 'ok', title: 'In service' })
      if (sim.state === 'ready') return service({ tone: 'info', title: 'Ready: service starts with its first session' })
      if (sim.state === 'standby') return service({ tone: 'info', title: 'On standby: active again when its device connects' })
      return service({ tone: 'ok', title: 'Service is available, the device is not connected' })
    }
  }
}
