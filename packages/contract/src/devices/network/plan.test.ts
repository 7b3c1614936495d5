import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planNetwork, planPin, type Connection, type NetworkStep, type Outcome, type Trial } from './plan.ts'
import type { DesiredNetwork } from './settings.ts'

const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 300)

const apn = (name: string) => ({ name, user: null, password: null })
const noWifi = { wifi: null, isWifi: false }
const start = (): Connection[] => [
  { uuid: 'e', device: 'eth0', interface: 'eth0', metric: null, apn: null, ...noWifi },
  { uuid: 'w', device: 'wlan0', interface: 'wlan0', metric: 600, apn: null, ...noWifi, isWifi: true },
  { uuid: 'c', device: 'cdc-wdm0', interface: 'wwan0', metric: 700, apn: apn('super'), ...noWifi },
]

const net = (ssid: string, password: string | null) => ({
  ssid,
  security: password ? ('wpa2' as const) : ('open' as const),
  hidden: false,
  password,
})

const wish = fc.record({
  priority: fc.option(fc.shuffledSubarray(['eth0', 'wlan0', 'wwan0', 'gone0'], { minLength: 1 })),
  apn: fc.option(fc.constantFrom(apn('super'), apn('nowhere'), apn('iot'))),
  wifi: fc.option(fc.shuffledSubarray([net('yard', 'one'), net('depot', null)])),
})
const history = fc.record({
  wishes: fc.array(wish, { minLength: 1, maxLength: 4 }),
  luck: fc.array(fc.constantFrom('well', 'well', 'well', 'fails', 'dies before', 'dies after', 'waits'), { maxLength: 60 }),
})

/** The server is lost with this APN, and where Ethernet comes first. */
const isLost = (connections: readonly Connection[]) => connections[2]!.apn!.name === 'nowhere' || connections[0]!.metric === 100

function doStep(connections: Connection[], step: NetworkStep) {
  const one = 'uuid' in step && connections.find(({ uuid }) => uuid === step.uuid)
  if (step.do === 'set_metric' && one) one.metric = step.metric
  else if (step.do === 'set_apn' && one) one.apn = step.apn
  else if (step.do === 'set_wifi' || step.do === 'forget_wifi') {
    const ssid = step.do === 'set_wifi' ? step.wifi.ssid : step.ssid
    const at = connections.findIndex(({ wifi }) => wifi?.ssid === ssid)
    if (at >= 0) connections.splice(at, 1)
    if (step.do === 'set_wifi')
      connections.push({ uuid: ssid, device: null, interface: null, metric: null, apn: null, wifi: step.wifi, isWifi: true })
    connections.splice(3, Infinity, ...connections.slice(3).toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)))
  }
}

test('whatever fails and whenever the agent dies: what is kept reached the server, and all else is as it was before', () => {
  fc.assert(
    fc.property(history, ({ wishes, luck }) => {
      const connections = start()
      // On the disk.
      let trial = null as Trial | null
      let last = null as Outcome | null
      let [own, waited, n] = [false, 0, 0]
      let before = JSON.stringify(connections)
      const dies = () => {
        own = false
        return true
      }
      const settle = (state: Outcome['state'], desired: DesiredNetwork) => {
        last = { generation: trial?.generation ?? desired.generation, state, words: null, began_at: '', ended_at: '' }
        if (trial && state === 'kept') expect(isLost(connections)).toBe(false)
        if (trial && state !== 'kept') expect(JSON.stringify(connections)).toBe(before)
        ;[trial, own, waited] = [null, false, 0]
      }
      const round = (desired: DesiredNetwork, next: () => string): boolean => {
        const reached = !isLost(connections)
        const move = planNetwork({ connections, desired, trial, own, reached, over: waited > 2, last, hasWifi: true, profiles: null })
        if (move.do === 'rest' || move.do === 'cannot') return false
        if (move.do === 'check') waited++
        if (move.do === 'keep') settle('kept', desired)
        if (move.do === 'try') {
          before = JSON.stringify(connections)
          trial = { generation: desired.generation, undo: move.undo, began_at: '', until: '', words: null, ending: null }
          own = true
          for (const step of move.steps) {
            const how = next()
            if (how === 'dies before') return dies()
            if (how === 'fails') {
              trial = { ...trial, ending: { state: 'failed', words: 'refused' } }
              break
            }
            doStep(connections, step)
            if (how === 'dies after') return dies()
          }
        }
        if (move.do === 'undo') {
          trial = { ...trial!, ending: { state: move.state, words: move.words } }
          for (const step of trial.undo) {
            const how = next()
            if (how === 'dies before') return dies()
            if (how === 'fails') return true
            doStep(connections, step)
          }
          settle(move.state, desired)
        }
        return true
      }
      let generation = 1
      for (const { priority, apn: wanted, wifi } of wishes) {
        const desired: DesiredNetwork = { generation: generation++, priority, apn: wanted, pin: null, wifi, profile: null, esim: null }
        for (let i = 0; i < 8; i++) round(desired, () => luck[n++] ?? 'well')
        let rounds = 0
        while (round(desired, () => 'well')) expect(++rounds).toBeLessThan(20)
        // At rest nothing is on trial, and the server is reached unless it was lost from the start.
        expect(trial).toBeNull()
        expect(isLost(connections)).toBe(false)
        if (last?.generation === desired.generation && last.state === 'kept' && wifi)
          expect(connections.flatMap((each) => each.wifi ?? []).map(({ ssid }) => ssid)).toEqual(wifi.map(({ ssid }) => ssid).toSorted())
        if (last?.generation === desired.generation && last.state === 'kept' && priority)
          for (const [i, name] of priority.entries())
            for (const each of connections.filter((each) => each.interface === name)) expect(each.metric).toBe((i + 1) * 100)
      }
    }),
    { numRuns }
  )
})

test('what was undone is not tried again, what is as wanted is left alone, and what cannot be set says so', () => {
  const desired: DesiredNetwork = { generation: 2, priority: null, apn: apn('iot'), pin: null, wifi: null, profile: null, esim: null }
  const given = { desired, trial: null, own: false, reached: false, over: false, hasWifi: true, profiles: null }
  const undone: Outcome = { generation: 2, state: 'undone', words: null, began_at: '', ended_at: '' }
  expect(planNetwork({ ...given, connections: start(), last: undone })).toEqual({ do: 'rest' })
  expect(planNetwork({ ...given, connections: start(), last: { ...undone, generation: 1 } })).toMatchObject({ do: 'try' })
  const right = start()
  right[2]!.apn = apn('iot')
  expect(planNetwork({ ...given, connections: right, last: null })).toEqual({ do: 'keep', words: null })
  expect(planNetwork({ ...given, connections: right.slice(0, 2), last: null })).toMatchObject({ do: 'cannot' })
  expect(planNetwork({ ...given, desired: null, connections: start(), last: null })).toEqual({ do: 'rest' })
})

test('a PIN is tried once, and never at the last try', () => {
  const pin = { generation: 3, code: '1234' }
  const memory = (generation: number, state: 'trying' | 'unlocked' | 'refused') => ({ generation, state, words: null, at: '' })
  expect(planPin({ pin, lock: 'sim-pin', tries: 3, memory: null })).toEqual({ do: 'enter' })
  expect(planPin({ pin, lock: null, tries: 3, memory: null })).toEqual({ do: 'rest' })
  expect(planPin({ pin, lock: 'sim-puk', tries: 3, memory: null })).toEqual({ do: 'rest' })
  expect(planPin({ pin, lock: 'sim-pin', tries: 2, memory: memory(3, 'refused') })).toEqual({ do: 'rest' })
  expect(planPin({ pin, lock: 'sim-pin', tries: 2, memory: memory(3, 'trying') })).toEqual({ do: 'rest' })
  expect(planPin({ pin, lock: 'sim-pin', tries: 3, memory: memory(3, 'unlocked') })).toEqual({ do: 'enter' })
  expect(planPin({ pin, lock: 'sim-pin', tries: 2, memory: memory(2, 'refused') })).toEqual({ do: 'enter' })
  expect(planPin({ pin, lock: 'sim-pin', tries: 1, memory: null })).toMatchObject({ do: 'refuse' })
})

test('another profile of the eSIM is enabled, and undone by the one that was in use', () => {
  const desired: DesiredNetwork = { generation: 2, priority: null, apn: null, pin: null, wifi: null, profile: '2', esim: null }
  const given = { desired, connections: start(), trial: null, own: false, reached: false, over: false, last: null, hasWifi: true }
  const profiles = [
    { iccid: '1', enabled: true },
    { iccid: '2', enabled: false },
  ]
  expect(planNetwork({ ...given, profiles })).toMatchObject({
    do: 'try',
    steps: [{ do: 'enable_profile', iccid: '2' }],
    undo: [{ do: 'enable_profile', iccid: '1' }],
  })
  expect(planNetwork({ ...given, profiles: profiles.slice(1) })).toMatchObject({ undo: [{ do: 'disable_profile', iccid: '2' }] })
  // Its APN is put into the settings before it and is not connected with: the profile in use has another one.
  const both = planNetwork({ ...given, desired: { ...desired, apn: apn('iot') }, profiles })
  expect(both).toMatchObject({
    do: 'try',
    steps: [
      { do: 'set_apn', withProfile: true },
      { do: 'enable_profile', iccid: '2' },
    ],
  })
  // So is the one of before: the profile connects with what is there by then.
  expect(both).toMatchObject({
    undo: [
      { do: 'set_apn', apn: apn('super'), withProfile: true },
      { do: 'enable_profile', iccid: '1' },
    ],
  })
  expect(planNetwork({ ...given, profiles: null })).toMatchObject({ do: 'cannot' })
  expect(planNetwork({ ...given, profiles: [{ iccid: '2', enabled: true }] })).toMatchObject({ do: 'keep' })
})
