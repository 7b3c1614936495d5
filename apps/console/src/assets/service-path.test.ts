import type { RefusedNow } from '@masthead/contract/assets/past/history-operations'
import { blockCodes, inOrder, type BlockCode, type Sim } from '@masthead/contract/assets/sim'
import { expect, test } from 'vitest'
import { serviceOf, withoutSince } from './service-path.ts'
import { blockLine } from './sim-words.ts'
import { block, disconnect, now, session, sim } from './test-sims.ts'

const path = (one: Sim) =>
  serviceOf(one, now)
    .steps.map((step) => `${step.id}:${step.is}`)
    .join(' ')

const offers = (one: Sim) => serviceOf(one, now).steps.flatMap((step) => (step.offer ? [`${step.id}:${step.offer}`] : []))

test('a SIM in session has every condition met', () => {
  const one = sim('active', { session: session() })
  expect(path(one)).toBe('state:met account:met staff:met device:met limit:met network:met')
  expect(serviceOf(one, now)).toMatchObject({ tone: 'ok', title: 'In service', words: [] })
  expect(offers(one)).toEqual([])
  expect(serviceOf(one, now).steps.at(-1)).toMatchObject({ title: 'On the network', note: 'KPN · LTE' })
})

test('a block breaks the path where it stands, and says what restores service', () => {
  const one = sim('active', { blocks: [block('account_suspended', 'When staff resume the account')] })
  expect(path(one)).toBe('state:met account:broken staff:off device:off limit:off network:off')
  const { tone, title, words } = serviceOf(one, now)
  expect(tone).toBe('bad')
  expect(title).toBe('No service: account suspended')
  expect(words).toEqual(['It is account_suspended. Service returns when staff resume the account.', 'The SIM is still set to active.'])
})

test.each([
  ['data_limit', 'state:met account:met staff:met device:met limit:broken network:off'],
  ['imei_mismatch', 'state:met account:met staff:met device:broken limit:off network:off'],
  ['staff', 'state:met account:met staff:broken device:off limit:off network:off'],
  ['balance', 'state:met account:broken staff:off device:off limit:off network:off'],
  ['asset_off', 'state:broken account:off staff:off device:off limit:off network:off'],
] as const)('the order is that of every SIM: %s', (code, steps) => {
  expect(path(sim('active', { blocks: [block(code)] }))).toBe(steps)
})

test('of two breaks both are said, and what is in order between them is not reached', () => {
  const steps = path(sim('active', { blocks: [block('data_limit'), block('staff')] }))
  expect(steps).toBe('state:met account:met staff:broken device:off limit:broken network:off')
  expect(path(sim('inactive', { blocks: [block('staff')] }))).toBe('state:broken account:off staff:broken device:off limit:off network:off')
})

test('a pool stands before the limit, where the SIM has one', () => {
  const data_pool = { id: 'pool_1', name: 'Europe 25 GB' }
  expect(path(sim('active', { data_pool }))).toBe('state:met account:met staff:met device:met pool:met limit:met network:waiting')
  expect(path(sim('active', { data_pool, blocks: [block('pool_exhausted')] }))).toContain('device:met pool:broken limit:off network:off')
  expect(offers(sim('active', { data_pool, blocks: [block('pool_exhausted')] }))).toEqual(['pool:pool'])
  const { steps } = serviceOf(sim('active', { data_pool, blocks: [block('pool_exhausted')] }), now)
  expect(steps.find(({ id }) => id === 'pool')!.note).toMatch(/^Europe 25 GB, /)
})

test('a SIM that is inactive in an asset that is switched off offers the way out of both', () => {
  expect(offers(sim('inactive', { blocks: [block('asset_off')] }))).toEqual(['state:activate', 'asset:switch_on'])
})

test('what is not reached says so, and claims nothing', () => {
  const steps = serviceOf(sim('active', { blocks: [block('account_suspended')] }), now).steps
  expect(steps.slice(2, 5).map(({ title, note }) => `${title}: ${note}`)).toEqual([
    'Staff: not reached',
    'Device: not reached',
    'Limits: not reached',
  ])
})

test('an abbreviation keeps its capitals', () => {
  expect(serviceOf(sim('active', { blocks: [block('imei_mismatch')] }), now).title).toBe('No service: IMEI does not match')
})

test('an inactive SIM offers to be activated, and a block besides is not kept quiet', () => {
  const one = sim('inactive', { blocks: [block('staff')] })
  const { words } = serviceOf(one, now)
  expect(offers(one)).toEqual(['state:activate', 'staff:ask'])
  expect(words[0]).toContain('Deactivated by m.vries 3 d ago')
  expect(words[1]).toContain('It is also blocked')
})

test('a SIM whose asset is switched off says so, and the switch is offered', () => {
  const one = sim('ready', { blocks: [block('asset_off', 'When the asset is switched on')] })
  const { title, words } = serviceOf(one, now)
  expect([title, words[1]]).toEqual(['No service: asset switched off', 'The SIM is still set to ready.'])
  expect(serviceOf(one, now).steps[0]).toMatchObject({ id: 'state', title: 'Asset switched off', is: 'broken' })
  expect(offers(one)).toEqual(['state:switch_on'])
  expect(offers(sim('active', { blocks: [block('staff')] }))).toEqual(['staff:ask'])
})

test('while the session of an inactive SIM is being cut, the network step says so', () => {
  expect(serviceOf(sim('inactive', { session: session() }), now).steps.at(-1)).toMatchObject({ is: 'off', note: 'session is being cut' })
})

test.each([
  ['nak', 'its gateway refused to end it'],
  ['timeout', 'its gateway does not answer'],
] as const)('a session that should be over and goes on (%s) is said, and support can be asked', (answer, note) => {
  const live = session({ disconnect: disconnect(answer) })
  const one = sim('active', { blocks: [block('data_limit')], session: live })
  expect(serviceOf(one, now).steps.at(-1)).toMatchObject({ title: 'Session goes on', note, is: 'broken', offer: 'ask' })
  expect(offers(one)).toEqual(['limit:raise', 'network:ask'])
  const words = `Its session goes on, as ${note}: it is asked again whenever the session reports.`
  expect(serviceOf(one, now).words).toContain(words)
  expect(serviceOf(sim('inactive', { session: live }), now).words).toContain(words)
  const elsewhere = sim('active', { session: { ...live, forbidden: 'France is not allowed', forbidden_by: 'group' } })
  expect(serviceOf(elsewhere, now).words[0]).toContain(words)
})

test('the chain has one order, and each break in it has a way out', () => {
  const codes = ['data_limit', 'pool_exhausted', 'imei_mismatch', 'staff', 'asset_off', 'balance', 'account_suspended'] as const
  const one = sim('active', { blocks: codes.map((code) => block(code)) })
  expect(offers(one)).toEqual([
    'state:switch_on',
    'account:ask',
    'balance:credits',
    'staff:ask',
    'device:accept',
    'pool:ask',
    'limit:raise',
  ])
  expect(offers(sim('terminated'))).toEqual(['state:swap'])
})

test('what a rule holds against an active SIM is lifted by activating it; one that is set to something else is freed at the rule', () => {
  const stepOf = (state: 'active' | 'standby' | 'inactive') =>
    serviceOf(sim(state, { blocks: [block('rule')] }), now).steps.find(({ id }) => id === 'rule')
  expect(stepOf('active')).toMatchObject({ is: 'broken', offer: 'activate', also: 'rules' })
  for (const state of ['standby', 'inactive'] as const) {
    expect(stepOf(state)).toMatchObject({ is: 'broken', offer: 'rules' })
    expect(stepOf(state)).not.toHaveProperty('also')
  }
})

test('the reasons of the API stand in the order of the path', () => {
  const codes = Object.keys(blockCodes) as BlockCode[]
  const blocks = inOrder(codes.toReversed().map((code) => block(code)))
  const one = sim('active', { data_pool: { id: 'pool_1', name: 'Europe' }, blocks })
  const broken = serviceOf(one, now).steps.filter(({ is }) => is === 'broken')
  expect(broken.map(({ title }) => title)).toEqual(blocks.map(({ code }) => blockCodes[code]))
  expect(broken.map(({ offer }) => offer)).toEqual(['switch_on', 'ask', 'credits', 'ask', 'activate', 'accept', 'pool', 'raise', 'costs'])
  expect(new Set(broken.map(({ id }) => id)).size).toBe(codes.length)
  expect([serviceOf(one, now).title, blockLine(one)]).toEqual(['No service: asset switched off', 'Asset switched off +8'])
})

test('a SIM is without service since the first of what holds it, wherever that stands among the reasons', () => {
  const later = { ...block('asset_off'), since: '2026-11-20T12:00:00Z' }
  expect(withoutSince(sim('active', { blocks: [later, block('data_limit')] }))).toBe('2026-11-20T09:00:00Z')
  expect(withoutSince(sim('inactive', { blocks: [later] }))).toBe('2026-11-18T12:00:00Z')
  expect(withoutSince(sim('active'))).toBeNull()
})

test('at both limits at once the way out of each is offered', () => {
  const one = sim('active', { blocks: [block('data_limit'), block('cost_cap')] })
  expect(offers(one)).toEqual(['limit:raise', 'cost_cap:costs'])
})

test('a free test is shown with what is used of it, and a lock with its device', () => {
  const one = sim('ready', {
    test: { allowance_bytes: 5_000_000, used_bytes: 1_000_000 },
    imei_lock: { mode: 'lock', own: 'lock', imeis: ['490154203237518'] },
  })
  expect(serviceOf(one, now).steps[0]!.note).toBe('free test, 1 MB of 5 MB')
  expect(serviceOf(one, now).steps.find(({ id }) => id === 'device')!.note).toBe('locked to 490154203237518')
})

test.each([
  ['ready', 'Ready: service starts with its first session'],
  ['standby', 'On standby: active again when its device connects'],
  ['active', 'Service is available, the device is not connected'],
  ['terminated', 'No service: this SIM is terminated'],
  ['inventory', 'No service: this SIM is not registered yet'],
] as const)('%s without a session', (state, title) => {
  expect(serviceOf(sim(state), now).title).toBe(title)
})

test('on a network that its group does not allow, the group is the way out', () => {
  const one = sim('active', { session: session({ forbidden: 'France is not allowed', forbidden_by: 'group' }) })
  expect([path(one).split(' ').at(-1), offers(one)]).toEqual(['network:broken', ['network:group']])
  expect(serviceOf(one, now)).toMatchObject({ tone: 'bad', title: 'On a network that its group does not allow' })
})

test('on a network where its data pools have no data, its pools are the way out, as its group lifts nothing', () => {
  const forbidden = session({ forbidden: 'The data pool Europe is used up', forbidden_by: 'pool' })
  const one = sim('active', { session: forbidden, data_pool: { id: 'pool_1', name: 'Europe' } })
  expect(offers(one)).toEqual(['network:pools'])
  const { title, words } = serviceOf(one, now)
  expect(title).toBe('On a network where its data pools have no data')
  expect(words.join(' ')).not.toContain('group')
})

test('where data costs too much, and at the cost limit of a day, the cost limits are the way out', () => {
  const forbidden = session({ forbidden: 'Data on the network 901-14 costs 8.90 USD per MB', forbidden_by: 'price' })
  const one = sim('active', { session: forbidden })
  expect(offers(one)).toEqual(['network:costs'])
  expect(serviceOf(one, now).title).toBe('On a network where data costs more than the account allows')
  const capped = sim('active', { blocks: [block('cost_cap')] })
  expect([offers(capped), serviceOf(capped, now).title]).toEqual([['limit:costs'], 'No service: daily cost limit reached'])
  expect(blockLine(capped)).toBe('Daily cost limit reached')
})

test('without credits, credits are the way out, and where a rule blocks it, to activate it', () => {
  expect(offers(sim('active', { blocks: [block('rule'), block('balance')] }))).toEqual(['account:credits', 'rule:activate'])
  const one = sim('active', { session: session({ forbidden: 'No credits are left', forbidden_by: 'balance' }) })
  expect(serviceOf(one, now).title).toBe('On a network where data is charged, and no credits are left')
})

const refused = (by: RefusedNow['by'], words: string | null = 'France is not allowed'): RefusedNow => ({
  by,
  words,
  count: 14,
  last_at: '2026-11-21T11:57:00Z',
  pool_id: null,
})

test.each([
  ['group', 'No service: its group does not allow the network', 'group'],
  ['pool', 'No service: its data pools have no data on the network', 'pools'],
  ['balance', 'No service: no credits for the network', 'credits'],
  ['price', 'No service: data costs more than the account allows', 'costs'],
  ['network', 'No service: the operator refuses it', 'ask'],
] as const)('a SIM that is refused by its %s has no service, and a way out', (by, title, offer) => {
  const one = sim('active', { data_pool: { id: 'pool_1', name: 'Europe' } })
  const { tone, title: said, words, steps } = serviceOf(one, now, refused(by))
  expect([tone, said]).toEqual(['bad', title])
  expect(words[0]).toMatch(/^France is not allowed\. /)
  expect(steps.at(-1)).toMatchObject({ title: 'Access refused', note: '14 times, 3 min ago', is: 'broken', offer })
})

test('attempts of a SIM that is blocked are counted beside the block', () => {
  const one = sim('active', { blocks: [block('staff')] })
  expect(serviceOf(one, now, refused('held')).steps.at(-1)).toMatchObject({ note: 'access is rejected, 14 times', is: 'off' })
  // Not any more.
  expect(serviceOf(sim('active'), now, refused('held')).title).toBe('Service is available, the device is not connected')
})

test('a silent session is told apart from a live one', () => {
  expect(serviceOf(sim('active', { session: session({ silent: true }) }), now).title).toBe('In service, but silent')
})
