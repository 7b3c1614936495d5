import { expect, test } from 'vitest'
import type { DesiredContainer } from './container.ts'
import { plan, type Held, type Seen } from './plan.ts'
import { itFailed, wantedOf } from './test-plan.ts'

const heldOf = (parts: Partial<Held>): Held => ({
  id: 'a',
  name: 'relay',
  generation: 1,
  restart: 1,
  state: 'running',
  exit_code: 0,
  ports: [],
  is_up: true,
  fails: null,
  ...parts,
})
const stepsOf = (seen: Partial<Seen>, wanted: DesiredContainer[]) => plan({ containers: [], pulled: {}, kept: {}, ...seen }, wanted)

test('what runs goes on until the container that replaces it is made, and is kept until that one is up', () => {
  const old = heldOf({})
  const wanted = wantedOf({ name: 'relay', generation: 2, restart: 2 })
  expect(stepsOf({ containers: [old] }, [wanted]).map((step) => step.do)).toEqual(['pull', 'create', 'set_aside', 'start_new'])
  const pulled = { relay: 2 }
  expect(stepsOf({ containers: [old], pulled }, [wanted]).map((step) => step.do)).toEqual(['create', 'set_aside', 'start_new'])
  const kept = { relay: { id: 'a', generation: 2, failed: null } }
  const next = heldOf({ id: 'b', generation: 2, restart: 2, is_up: false })
  const aside = heldOf({ state: 'exited', exit_code: 137 })
  expect(stepsOf({ containers: [aside, next], pulled, kept }, [wanted])).toEqual([])
  expect(stepsOf({ containers: [aside, { ...next, is_up: true }], pulled, kept }, [wanted])).toEqual([
    { do: 'remove', name: 'relay', id: 'a' },
  ])
})

test('one that does not come up goes, and the one before runs again until something else is wanted', () => {
  const wanted = wantedOf({ name: 'relay', generation: 2, restart: 2 })
  const pulled = { relay: 2 }
  const aside = heldOf({ state: 'exited', exit_code: 137 })
  const next = heldOf({ id: 'b', generation: 2, restart: 2, is_up: false, fails: 'It ended' })
  const kept = { relay: { id: 'a', generation: 2, failed: null } }
  expect(stepsOf({ containers: [aside, next], pulled, kept }, [wanted])).toEqual([
    { do: 'give_up', name: 'relay', id: 'b', kept: 'a', generation: 2, words: 'It ended' },
    { do: 'stop', name: 'relay', id: 'b' },
    { do: 'remove', name: 'relay', id: 'b' },
    { do: 'start', name: 'relay', id: 'a' },
  ])
  const back = { relay: { ...kept.relay, failed: itFailed } }
  expect(stepsOf({ containers: [heldOf({})], pulled, kept: back }, [wanted])).toEqual([])
  expect(stepsOf({ containers: [heldOf({})], pulled, kept: back }, [{ ...wanted, run: 'stopped' }]).map((step) => step.do)).toEqual([
    'stop',
  ])
  const other = { ...wanted, generation: 3, restart: 3 }
  expect(stepsOf({ containers: [heldOf({})], pulled: { relay: 3 }, kept: back }, [other]).map((step) => step.do)).toEqual([
    'create',
    'set_aside',
    'start_new',
  ])
})

test('a version after one that is not up yet goes back to the one that was', () => {
  const aside = heldOf({ state: 'exited', exit_code: 137 })
  const unproved = heldOf({ id: 'b', generation: 2, restart: 2, is_up: false })
  const kept = { relay: { id: 'a', generation: 2, failed: null } }
  const steps = stepsOf({ containers: [aside, unproved], pulled: { relay: 3 }, kept }, [
    wantedOf({ name: 'relay', generation: 3, restart: 3 }),
  ])
  expect(steps.map((step) => `${step.do} ${'id' in step ? step.id : ''}`)).toEqual([
    'create ',
    'stop b',
    'remove b',
    'set_aside a',
    'start_new ',
  ])
})

test('two containers that swap their ports both stop before either starts', () => {
  const both = ['relay', 'logger'].map((name) => heldOf({ id: name, name }))
  const wanted = ['relay', 'logger'].map((name) => wantedOf({ name, generation: 2 }))
  const steps = stepsOf({ containers: both, pulled: { relay: 2, logger: 2 } }, wanted).map((step) => `${step.do} ${step.name}`)
  expect(steps.filter((step) => step.startsWith('set_aside'))).toHaveLength(2)
  expect(steps.findLastIndex((step) => step.startsWith('set_aside'))).toBeLessThan(steps.findIndex((step) => step.startsWith('start_new')))
})

const port = (host: number): DesiredContainer['ports'] => [{ host, container: 80, protocol: 'tcp' }]
const runs = (name: string, host: number, parts: Partial<Held> = {}) => heldOf({ id: name, name, ports: [`${host}/tcp`], ...parts })
const next = (name: string, host: number) => wantedOf({ name, generation: 2, ports: port(host) })

test('what takes a port of one whose image is on its way waits with it, and goes on at the port that it has', () => {
  const containers = [runs('relay', 30_100), runs('logger', 30_101)]
  const swapped = [next('relay', 30_101), next('logger', 30_100)]
  expect(stepsOf({ containers, pulled: { relay: 2 } }, swapped)).toEqual([{ do: 'pull', name: 'logger', wanted: swapped[1] }])
  expect(stepsOf({ containers, pulled: { relay: 2, logger: 2 } }, swapped).map((step) => `${step.do} ${step.name}`)).toEqual([
    'create relay',
    'create logger',
    'set_aside relay',
    'set_aside logger',
    'start_new relay',
    'start_new logger',
  ])
  // So does one that waits for one that waits, and one that is new.
  const three = [...containers, runs('camera', 30_102)]
  const turned = [next('relay', 30_101), next('logger', 30_102), next('camera', 30_103), next('metrics', 30_100)]
  const here = { relay: 2, logger: 2, metrics: 2 }
  expect(stepsOf({ containers: three, pulled: here }, turned).map((step) => `${step.do} ${step.name}`)).toEqual([
    'pull camera',
    'create camera',
    'set_aside camera',
    'start_new camera',
  ])
})

test('it does not wait for one that is stopped, that goes on for good, or that has the number by another protocol', () => {
  const isMade = (steps: ReturnType<typeof plan>) => steps.some((step) => step.do === 'create' && step.name === 'relay')
  const containers = [runs('relay', 30_100), runs('logger', 30_101)]
  const wanted = next('relay', 30_101)
  const pulled = { relay: 2 }
  expect(isMade(stepsOf({ containers, pulled }, [wanted, { ...next('logger', 30_102), run: 'stopped' }]))).toBe(true)
  expect(isMade(stepsOf({ containers, pulled }, [wanted]))).toBe(true)
  const back = [runs('relay', 30_100), runs('logger', 30_101)]
  const kept = { logger: { id: 'logger', generation: 2, failed: itFailed } }
  expect(isMade(stepsOf({ containers: back, pulled, kept }, [wanted, next('logger', 30_102)]))).toBe(true)
  const udp = [runs('relay', 30_100), runs('logger', 30_101, { ports: ['30101/udp'] })]
  expect(isMade(stepsOf({ containers: udp, pulled }, [wanted, next('logger', 30_102)]))).toBe(true)
  expect(isMade(stepsOf({ containers, pulled }, [wanted, next('logger', 30_102)]))).toBe(false)
})

test('what is to be stopped stops at once, before an image is pulled for it', () => {
  const steps = stepsOf({ containers: [heldOf({})] }, [wantedOf({ name: 'relay', generation: 2, run: 'stopped' })])
  expect(steps.map((step) => step.do)).toEqual(['stop', 'pull', 'create', 'remove'])
})

test('what has ended as it was meant to stays, until it is to start anew', () => {
  const done = heldOf({ state: 'exited' })
  const wanted = wantedOf({ name: 'relay', restart_policy: 'on_failure' })
  expect(stepsOf({ containers: [done] }, [wanted])).toEqual([])
  expect(stepsOf({ containers: [{ ...done, exit_code: 3 }] }, [wanted]).map((step) => step.do)).toEqual(['start'])
  expect(stepsOf({ containers: [done] }, [{ ...wanted, restart: 2 }]).map((step) => step.do)).toEqual(['restart'])
})
