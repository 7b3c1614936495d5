import type { RefusedNow } from '@masthead/contract/assets/past/history-operations'
import { hasService } from '@masthead/contract/assets/service'
import { blockCodes, type BlockCode, goesOnWords, type Sim } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { cutWords, networkWords } from './session-words.ts'
import type { AssetAct } from './sim/asset-acts.ts'
import { lockWords } from './sim/lock-words.ts'
import { agoWords, byWords, lower, notHereWords } from './sim-words.ts'

/** One condition of service: met, broken, (behind a break) not reached, or not known of the past. `offer`: what lifts it, for who may; `also`: where it is lifted as well. */
export type Step = {
  id: string
  title: string
  note: string
  is: 'met' | 'broken' | 'off' | 'waiting' | 'unknown'
  offer?: AssetAct
  also?: AssetAct
}

export type Service = {
  tone: 'ok' | 'bad' | 'idle' | 'info'
  /** Whether it has service, in a few words. */
  title: string
  /** What broke it and what restores it, a sentence each. */
  words: string[]
  /** The conditions, in the same order for every SIM; the network is the last. */
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

/** What its people set it to: the SIM, and the asset that it is in; of an inactive SIM in an asset that is switched off, both. */
function stateSteps(sim: Sim, now: number): Step[] {
  const by = sim.state_changed_at ? `by ${byWords(sim.state_changed_by)}, ${agoWords(sim.state_changed_at, now)}` : ''
  const notes: Partial<Record<Sim['state'], string>> = {
    ready: sim.test
      ? `free test, ${formatBytes(sim.test.used_bytes)} of ${formatBytes(sim.test.allowance_bytes)}`
      : 'active with its first session',
    standby: 'active again when it connects',
    terminated: by || 'permanently',
  }
  const met = hasService({ state: sim.state, blocks: [] })
  const block = sim.blocks.find(({ code }) => code === 'asset_off')
  const off = (id: string): Step[] =>
    block ? [{ id, title: blockCodes.asset_off, note: agoWords(block.since, now), is: 'broken', offer: 'switch_on' }] : []
  if (met && block) return off('state')
  const own: Step = {
    id: 'state',
    title: stateTitles[sim.state],
    note: notes[sim.state] ?? (by || 'since it was registered'),
    is: met ? 'met' : 'broken',
    ...(!met && { offer: stateOffers[sim.state] ?? 'ask' }),
  }
  return sim.state === 'inactive' ? [own, ...off('asset')] : [own]
}

/** What lifts each block, for who may; what only staff lift is asked of them. Of a pool that is known, whoever may changes its settings. */
const blockOffers: Record<BlockCode, AssetAct> = {
  account_suspended: 'ask',
  balance: 'credits',
  asset_off: 'switch_on',
  staff: 'ask',
  rule: 'rules',
  imei_mismatch: 'accept',
  pool_exhausted: 'ask',
  data_limit: 'raise',
  cost_cap: 'costs',
}

function breakNote(code: BlockCode, { since }: { since: string }, limit: string, { imei, data_pool }: Sim, now: number): string {
  if (code === 'data_limit') return limit
  // In a narrow column a time is not torn apart.
  const ago = agoWords(since, now).replaceAll(' ', '\u00a0')
  if (code === 'pool_exhausted' && data_pool) return `${data_pool.name}, ${ago}`
  return code === 'imei_mismatch' && imei ? `IMEI ${imei}, ${ago}` : ago
}

/** A condition we keep watch over: what breaks it, and its words while it is met and where the way does not come to it. */
type Watched = { id: string; codes: readonly BlockCode[]; title: string; note: string; name: string }

/** A condition that is broken more than once is several: each has a way out of its own. */
function apart(one: Watched, { blocks }: Sim): Watched[] {
  const broken = one.codes.filter((code) => blocks.some((block) => block.code === code))
  return broken.length < 2 ? [one] : broken.map((code, at) => ({ ...one, id: at === 0 ? one.id : code, codes: [code] }))
}

const ofAccount: Watched = {
  id: 'account',
  codes: ['account_suspended', 'balance'],
  title: 'Not blocked by the account',
  note: 'no block',
  name: 'Account',
}

/** Said of a SIM that one blocks alone: most accounts have no rule that does. */
const ofRules: Watched = { id: 'rule', codes: ['rule'], title: 'Not held by a rule', note: 'no hold', name: 'Alert rules' }

/** In the order of every SIM: its account, staff, rules that block it, its device, its pool where it has one, its limit. */
function watchedOf(sim: Sim): Watched[] {
  const { usage } = sim
  const used = formatBytes(usage.limit_used_bytes ?? 0)
  const limit =
    usage.limit_bytes === null
      ? 'no limit set'
      : `${used} of ${formatBytes(usage.limit_bytes)}${usage.limit_period === 'day' ? ' today' : ''}`
  const pool: Watched = {
    id: 'pool',
    codes: ['pool_exhausted'],
    title: 'Pool has data',
    note: sim.data_pool?.name ?? '',
    name: 'Data pool',
  }
  const { mode, imeis } = sim.imei_lock
  const hasPool = sim.data_pool !== null || sim.blocks.some(({ code }) => code === 'pool_exhausted')
  const all: Watched[] = [
    ofAccount,
    { id: 'staff', codes: ['staff'], title: 'Not held by staff', note: 'no hold', name: 'Staff' },
    ...(sim.blocks.some(({ code }) => code === 'rule') ? [ofRules] : []),
    {
      id: 'device',
      codes: ['imei_mismatch'],
      title: mode === 'lock' ? 'Device accepted' : 'Any device accepted',
      note: mode === 'lock' ? lockWords(mode, imeis) : sim.imei ? `IMEI ${sim.imei}` : 'none seen yet',
      name: 'Device',
    },
    ...(hasPool ? [pool] : []),
    { id: 'limit', codes: ['data_limit', 'cost_cap'], title: 'Within its limits', note: limit, name: 'Limits' },
  ]
  return all.flatMap((one) => apart(one, sim))
}

/** The way to service as far as it goes: after what breaks it nothing is reached, but what is broken as well is said. */
function stepsOf(sim: Sim, open: boolean, refused: RefusedNow | null, now: number): Step[] {
  const states = stateSteps(sim, now)
  let broken = states.some(({ is }) => is === 'broken')
  const watched = watchedOf(sim).map(({ id, codes, title, note, name }): Step => {
    const block = codes.flatMap((code) => sim.blocks.find((one) => one.code === code) ?? [])[0]
    if (block) {
      broken = true
      const offer = id === 'pool' && sim.data_pool ? 'pool' : blockOffers[block.code]
      const said = { id, title: blockCodes[block.code], note: breakNote(block.code, block, note, sim, now), is: 'broken' as const }
      // To activate a SIM lifts what rules hold against it. One that is set to something else stays that, and is freed at the rule.
      return offer === 'rules' && sim.state === 'active' ? { ...said, offer: 'activate', also: 'rules' } : { ...said, offer }
    }
    return broken ? { id, title: name, note: 'not reached', is: 'off' } : { id, title, note, is: 'met' }
  })
  return [...states, ...watched, networkStep(sim, open, refused, now)]
}

const timesWords = (count: number) => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`)

/** What lifts a refusal where the SIM is. Of several pools the one that refuses may be another than the SIM's first: all of them are offered. */
const refusalOffer = (by: RefusedNow['by'], { data_pool }: Sim): AssetAct =>
  by === 'group' ? 'group' : by === 'balance' ? 'credits' : by === 'price' ? 'costs' : by === 'pool' && data_pool ? 'pools' : 'ask'

function networkStep(sim: Sim, open: boolean, refused: RefusedNow | null, now: number): Step {
  const { session } = sim
  if (session) {
    const where = networkWords(session) ?? 'connected'
    const goesOn = goesOnWords(session)
    if (!open && goesOn) return { id: 'network', title: 'Session goes on', note: goesOn, is: 'broken', offer: 'ask' }
    if (!open) return { id: 'network', title: 'Network', note: 'session is being cut', is: 'off' }
    if (session.forbidden)
      return {
        id: 'network',
        title: notHereWords(session),
        note: where,
        is: 'broken',
        offer: refusalOffer(session.forbidden_by ?? 'group', sim),
      }
    return session.silent
      ? { id: 'network', title: 'Network silent', note: where, is: 'waiting' }
      : { id: 'network', title: 'On the network', note: where, is: 'met' }
  }
  if (!open)
    return { id: 'network', title: 'Network', note: `access is rejected${refused ? `, ${timesWords(refused.count)}` : ''}`, is: 'off' }
  // What held it may be gone since that was read.
  if (!refused || refused.by === 'held') return { id: 'network', title: 'Network', note: 'waiting for the device', is: 'waiting' }
  const note = `${timesWords(refused.count)}, ${agoWords(refused.last_at, now)}`
  return { id: 'network', title: 'Access refused', note, is: 'broken', offer: refusalOffer(refused.by, sim) }
}

/** Since when a SIM that is blocked or inactive has no service: of several blocks the first took it. Null: not known, or it has service. */
export const withoutSince = ({ status, state, blocks, state_changed_at }: Sim): string | null =>
  status === 'blocked' ? (blocks.map(({ since }) => since).toSorted()[0] ?? null) : state === 'inactive' ? state_changed_at : null

const sentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`)

/** Who refuses a SIM where it is, in a few words, and where it has service. */
const refusers: Record<Exclude<RefusedNow['by'], 'held'>, { title: string; elsewhere: string }> = {
  group: { title: 'its group does not allow the network', elsewhere: 'The SIM has service on the networks of its group.' },
  pool: { title: 'its data pools have no data on the network', elsewhere: 'The SIM has service where another of its data pools has data.' },
  balance: {
    title: 'no credits for the network',
    elsewhere: 'The SIM has service where one of its data pools has data or data costs nothing, and with credits everywhere.',
  },
  price: {
    title: 'data costs more than the account allows',
    elsewhere: 'The SIM has service where data costs less, or where one of its data pools has data.',
  },
  network: { title: 'the operator refuses it', elsewhere: 'Nothing of ours is held against the SIM: support staff can ask the operator.' },
}

/** Why a SIM has service or not, from its state, its blocks and how it is refused. `now` in milliseconds. */
export function serviceOf(sim: Sim, now: number, refused: RefusedNow | null = null): Service {
  const open = hasService(sim)
  const steps = stepsOf(sim, open, refused, now)
  const blocked = sim.blocks.map(({ words, clears }) => `${sentence(words)} Service returns ${sentence(lower(clears))}`)
  const goesOn = sim.session && goesOnWords(sim.session) ? [cutWords(sim.session)] : []
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
        words: [`${who} It comes back on the network as soon as it is activated.`, ...also, ...goesOn],
      })
    }
    case 'ready':
    case 'active':
    case 'standby': {
      if (!open) {
        const [first] = sim.blocks
        const kept = `The SIM is still set to ${sim.state}.`
        const title = `No service: ${lower(blockCodes[first!.code])}`
        return service({ tone: 'bad', title, words: [...blocked, ...goesOn, kept] })
      }
      if (sim.session?.forbidden) {
        const by = sim.session.forbidden_by ?? 'group'
        return service({
          tone: 'bad',
          title:
            by === 'group'
              ? 'On a network that its group does not allow'
              : `On a network where ${by === 'price' ? refusers.price.title : by === 'balance' ? 'data is charged, and no credits are left' : 'its data pools have no data'}`,
          words: [`${sentence(sim.session.forbidden)} ${cutWords(sim.session)} ${refusers[by].elsewhere}`],
        })
      }
      if (sim.session?.silent)
        return service({
          tone: 'info',
          title: 'In service, but silent',
          words: ['Its session is open, but the gateway has not reported it for three intervals.'],
        })
      if (sim.session) return service({ tone: 'ok', title: 'In service' })
      if (refused && refused.by !== 'held') {
        const { title, elsewhere } = refusers[refused.by]
        const said = refused.words ? `${sentence(refused.words)} ` : ''
        return service({ tone: 'bad', title: `No service: ${title}`, words: [`${said}${elsewhere}`] })
      }
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
