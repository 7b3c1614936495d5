import { expect, test } from 'vitest'
import type { Rollout, RolloutAsset, TryStep } from '@masthead/contract/alpon-fleets/rollout'
import { changeWords, deviceLook, phaseName, phaseNow, phaseStates, readPhases, versionLook, waitingWords } from './rollout-words.ts'

test('phases in per cent and by number of devices are read and named', () => {
  const read = readPhases('1 device; 25 devices, 50%, 100')
  expect(read).toEqual([{ devices: 1 }, { devices: 25 }, 50, 100])
  expect(read.map(phaseName)).toEqual(['1 device', '25 devices', '50 %', '100 %'])
  expect(readPhases('ten, 100,')).toEqual([Number.NaN, 100])
})

test('why nothing begins, where all devices of a phase are offline and others could go on', () => {
  type Counts = Rollout['phases'][number]
  const words = (phases: Partial<Counts>[], state: Rollout['state'] = 'running') =>
    waitingWords({ state, phases: phases.map((each) => ({ pending: 0, started: 0, success: 0, failure: 0, offline: 0, ...each })) })
  const away = { pending: 1, offline: 1 }
  expect(words([away, { pending: 4 }])).toBe(
    'Nothing begins, because the only device of phase 1 is offline. The next phase waits until it has the version and runs it.'
  )
  expect(words([{ ...away, success: 1 }, { pending: 4, offline: 4 }, { pending: 5 }])).toBe(
    'Nothing begins, because all 4 devices of phase 2 are offline. The next phase waits until one of them has the version and runs it.'
  )
  // One of it can begin, one has it, one of before is at it, nobody else could begin, somebody paused it.
  expect(words([{ pending: 2, offline: 1 }, { pending: 4 }])).toBeNull()
  expect(words([{ ...away, success: 1 }, { pending: 4 }])).toBeNull()
  expect(words([{ success: 1, started: 1 }, away, { pending: 4 }])).toBeNull()
  expect(words([away, { pending: 4, offline: 4 }])).toBeNull()
  expect(words([away, { pending: 4 }], 'paused')).toBeNull()
})

test('a phase in which devices failed is not drawn as done once its rollout was stopped, nor one that nobody does any more as going on', () => {
  const counts = { pending: 0, started: 0, success: 0, failure: 0, offline: 0 }
  const phases = [
    { ...counts, success: 1 },
    { ...counts, success: 1, failure: 1 },
    { ...counts, pending: 3 },
  ]
  const states = (state: Rollout['state']) => phaseStates({ state, phases })
  expect(states('running')).toEqual(['done', 'done', 'current'])
  expect(states('halted')).toEqual(['done', 'failed', 'current'])
  expect(states('aborted')).toEqual(['done', 'failed', 'unreached'])
  // Devices joined after it had finished.
  expect(states('finished')).toEqual(['done', 'done', 'done'])
  const begun = phaseStates({ state: 'aborted', phases: [{ ...counts, success: 1, pending: 2 }, { ...counts, started: 1 }, counts] })
  expect(begun).toEqual(['stopped', 'stopped', 'unreached'])
})

test('which version an asset has, and what it waits for', () => {
  type Of = NonNullable<Parameters<typeof versionLook>[0]['rollout']>
  const look = (
    version: number | null,
    rollout: Pick<Of, 'version' | 'state'> | null,
    differences: string[] = [],
    error: string | null = null
  ) => versionLook({ version, rollout: rollout && { ...rollout, attempts: 1, started_at: null, settled_at: null, error }, differences })
  expect(look(null, null)).toBeNull()
  expect(look(1, { version: 1, state: 'success' })).toEqual({ status: null, label: 'Version 1', about: [] })
  expect(look(1, { version: 2, state: 'pending' })).toMatchObject({ label: 'Waits for version 2', about: ['It has version 1'] })
  expect(look(2, { version: 2, state: 'failure' }, [], 'It ends at once')).toMatchObject({
    label: 'Version 2 failed',
    about: ['It ends at once'],
  })
  expect(look(null, { version: 1, state: 'started' })).toMatchObject({ label: 'Version 1 is on its way', about: [] })
  // A rollout that was aborted before it came to it.
  expect(look(1, null)).toMatchObject({ label: 'Version 1' })
  expect(look(1, { version: 2, state: 'pending' }, ['relay removed'])).toMatchObject({
    label: 'Not as version 1',
    about: ['relay removed', 'Waits for version 2.'],
  })
  expect(look(2, { version: 2, state: 'failure' }, ['relay removed'], 'It ends at once')).toMatchObject({
    about: ['relay removed', 'Version 2 failed: It ends at once.'],
  })
})

test('what changed names images by repository and tag, and by their digest where nothing else tells them apart', () => {
  const [one, other] = ['a', 'b'].map((letter) => `sha256:${letter.repeat(64)}`)
  expect(changeWords(`relay: image host:5000/acme/relay:1@${one} to host:5000/acme/relay:2@${other}`)).toBe(
    'relay: image host:5000/acme/relay:1 to host:5000/acme/relay:2'
  )
  expect(changeWords(`relay: image acme/relay:1@${one} to acme/relay:1@${other}`)).toBe('relay: image acme/relay:1 with another digest')
  expect(changeWords(`relay: image host:5000/acme/relay@${one} to host:5000/acme/relay@${other}`)).toBe(
    'relay: image host:5000/acme/relay@aaaaaaaaaaaa to host:5000/acme/relay@bbbbbbbbbbbb'
  )
  expect(changeWords(`relay added: acme/relay:1@${one}`)).toBe('relay added: acme/relay:1')
  expect(changeWords(`relay added: acme/relay@sha512:${'c'.repeat(128)}`)).toBe('relay added: acme/relay@cccccccccccc')
  expect(changeWords('relay: ports none to 80:80/tcp')).toBe('relay: ports none to 80:80/tcp')
})

test('what a device does in its try, and how far it is', () => {
  const label = (state: RolloutAsset['state'], step: RolloutAsset['step'] = null, online = true) =>
    deviceLook({ state, online, step }).label
  expect([label('pending'), label('pending', null, false), label('failure')]).toEqual(['Waiting', 'Offline', 'Failed'])
  const at = (name: TryStep, percent: number | null = null) => label('started', { name, percent })
  expect([at('asked'), at('downloading'), at('downloading', 40), at('installing'), at('watched')]).toEqual([
    'Asked',
    'Downloading',
    'Downloading 40 %',
    'Installing',
    'Watched',
  ])
  expect(label('started', { name: 'watched', percent: null }, false)).toBe('Offline in its try')
  const left = (state: RolloutAsset['state']) => deviceLook({ state, online: false, step: null }, true).label
  expect([left('pending'), left('started'), left('success'), left('failure')]).toEqual(['Not begun', 'Aborted', 'Done', 'Failed'])
})

test('at which phase a rollout is', () => {
  const counts = { pending: 0, started: 0, success: 0, failure: 0, offline: 0 }
  const now = (state: Rollout['state'], ...phases: Partial<typeof counts>[]) =>
    phaseNow({ state, phases: phases.map((each) => ({ ...counts, ...each })) })
  expect(now('running', { success: 1 }, { started: 1, pending: 1 }, { pending: 5 })).toBe('2 of 3')
  expect(now('halted', { success: 1 }, { failure: 1 }, { pending: 5, offline: 5 })).toBe('2 of 3')
  expect(now('aborted', { started: 1 }, { pending: 5 })).toBe('1 of 2')
  expect(now('finished', { success: 1 }, { success: 5 })).toBeNull()
})
