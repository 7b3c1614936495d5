import { hasService } from '@masthead/contract/assets/service'
import { blockCodes, type BlockCode, type Sim } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { networkWords } from './session-words.ts'
import type { AssetAct } from './sim/asset-acts.ts'
import { agoWords, byWords, lockWords } from './sim-words.ts'

/** One condition of service: met, broken, or (the network, behind a break) out of reach. `offer`: what lifts it, for who may. */
export type Step = { id: string; title: string; note: string; is: 'met' | 'broken' | 'off' | 'waiting'; offer?: AssetAct }

export type Service = {
  tone: 'ok' | 'bad' | 'idle' | 'info'
  /** Whether it has service, in a few words. */
  title: string
  /** What broke it and what restores it, a sentence each. */
  words: string[]
  /** The conditions in the order in which reasons are told everywhere, and the network. */
  steps: Step[]
}

const stateTitles: Record<Sim['state'], string> = {
  inventory: 'SIM not registered',
  ready: 'SIM ready',
  active: 'SIM set to active',
  inactive: 'SIM set to inactive',
  standby: 'SIM on standby',
  terminated: 'SIM terminated',
}

/** The way on from each state without service. */
const stateOffers: Partial<Record<Sim['state'], AssetAct>> = { inactive: 'activate', terminated: 'swap', inventory: 'ready' }

function stateStep(sim: Sim, now: number): Step {
  const by = sim.state_changed_at ? `by ${byWords(sim.state_changed_by)}, ${agoWords(sim.state_changed_at, now)}` : ''
  const notes: Partial<Record<Sim['state'], string>> = {
    ready: sim.test
      ? `free test, ${formatBytes(sim.test.used_bytes)} of ${formatBytes(sim.test.allowance_bytes)}`
      : 'active with its first session',
    standby: 'active again when it connects',
    terminated: by || 'permanently',
  }
  const met = hasService({ state: sim.state, blocks: [] })
  return {
    id: 'state',
    title: stateTitles[sim.state],
    note: notes[sim.state] ?? (by || 'since it was registered'),
    is: met ? 'met' : 'broken',
    ...(!met && { offer: stateOffers[sim.state] ?? 'ask' }),
  }
}

/** What lifts each block, for who may; what only staff lift is asked of them. */
const blockOffers: Record<BlockCode, AssetAct> = {
  account_suspended: 'ask',
  balance: 'ask',
  asset_off: 'switch_on',
  staff: 'ask',
  imei_mismatch: 'accept',
  pool_exhausted: 'ask',
  data_limit: 'raise',
}

function breakNote(code: BlockCode, { since }: { since: string }, limit: string, { imei }: Sim, now: number): string {
  if (code === 'data_limit') return limit
  return code === 'imei_mismatch' && imei ? `IMEI ${imei}, ${agoWords(since, now)}` : agoWords(since, now)
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
  const { mode, imeis } = sim.imei_lock
  const watched: { code: BlockCode; title: string; note: string; always: boolean }[] = [
    { code: 'account_suspended', title: 'Account in good standing', note: 'not suspended', always: true },
    { code: 'balance', title: 'Credits available', note: '', always: false },
    { code: 'asset_off', title: 'Asset switched on', note: '', always: false },
    { code: 'staff', title: 'Not held by staff', note: '', always: false },
    {
      code: 'imei_mismatch',
      title: mode === 'lock' ? 'Device accepted' : 'Any device accepted',
      note: mode === 'lock' ? lockWords(mode, imeis) : sim.imei ? `IMEI ${sim.imei}` : 'none seen yet',
      always: true,
    },
    { code: 'pool_exhausted', title: 'Pool has data', note: sim.data_pool?.name ?? '', always: sim.data_pool !== null },
    { code: 'data_limit', title: 'Within its data limit', note: limit, always: true },
  ]
  return watched
    .filter(({ code, always }) => always || held(code) !== undefined)
    .map(({ code, title, note }): Step => {
      const block = held(code)
      if (!block) return { id: code, title, note, is: 'met' }
      return { id: code, title: blockCodes[code], note: breakNote(code, block, limit, sim, now), is: 'broken', offer: blockOffers[code] }
    })
}

function networkStep(sim: Sim, open: boolean): Step {
  const { session } = sim
  if (session) {
    const where = networkWords(session) ?? 'connected'
    if (!open) return { id: 'network', title: 'Network', note: 'session is being cut', is: 'off' }
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
  const steps = [stateStep(sim, now), ...conditions(sim, now), networkStep(sim, open)]
  const blocked = sim.blocks.map(({ words, clears }) => `${sentence(words)} Service returns ${sentence(lower(clears))}`)
  const service = (rest: Pick<Service, 'tone' | 'title'> & Partial<Service>): Service => ({ words: [], steps, ...rest })
  switch (sim.state) {
    case 'terminated':
      return service({
        tone: 'idle',
        title: 'No service: this SIM is terminated',
        words: ['It has left the network permanently and cannot be activated again. The asset can get another SIM.'],
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
      })
    }
    case 'ready':
    case 'active':
    case 'standby': {
      if (!open) {
        const [first] = sim.blocks
        const kept = `The SIM is still set to ${sim.state}.`
        const title = `No service: ${lower(blockCodes[first!.code])}`
        return service({ tone: 'bad', title, words: [...blocked, kept] })
      }
      if (sim.session?.silent)
        return service({
          tone: 'info',
          title: 'In service, but silent',
          words: ['Its session is open, but the gateway has not reported it for three intervals.'],
        })
      if (sim.session) return service({ tone: 'ok', title: 'In service' })
      if (sim.state === 'ready')
        return service({
          tone: 'info',
          title: sim.test ? 'Ready: free until its test allowance is used up' : 'Ready: service starts with its first session',
        })
      if (sim.state === 'standby') return service({ tone: 'info', title: 'On standby: active again when its device connects' })
      return service({ tone: 'ok', title: 'Service is available, the device is not connected' })
    }
  }
}
