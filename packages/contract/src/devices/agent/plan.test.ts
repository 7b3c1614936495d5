import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { DesiredContainer } from './container.ts'
import { hasFinished, plan, type Held, type Seen, type Step } from './plan.ts'

const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 200)
vi.setConfig({ testTimeout: 600_000 })

const names = ['relay', 'logger', 'camera', 'metrics']
const wantedOf = (parts: Partial<DesiredContainer> & { name: string }): DesiredContainer => ({
  generation: 1,
  restart: 1,
  run: 'running',
  image: `acme/${parts.name}:1`,
  ports: [],
  volumes: [],
  environment: [],
  restart_policy: 'always',
  health: null,
  ...parts,
})

const generation = fc.integer({ min: 1, max: 4 }).map((n) => n * 10)
const held = fc.record({
  name: fc.constantFrom(...names, 'left-behind'),
  generation,
  restart: fc.integer({ min: 1, max: 3 }),
  state: fc.constantFrom<Held['state']>('created', 'running', 'paused', 'restarting', 'exited', 'dead'),
  exit_code: fc.constantFrom(0, 1, 137),
})
const desired = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...names),
    generation,
    restart: fc.integer({ min: 1, max: 3 }),
    run: fc.constantFrom<DesiredContainer['run']>('running', 'stopped'),
    port: fc.integer({ min: 30_000, max: 30_002 }),
    restart_policy: fc.constantFrom<DesiredContainer['restart_policy']>('always', 'on_failure', 'no'),
  }),
  { selector: ({ name }) => name }
)
const history = fc.record({
  containers: fc.array(held, { maxLength: 6 }),
  pulled: fc.dictionary(fc.constantFrom(...names), generation),
  /** One wish after the other; the device may see the next while it is at the first. */
  wishes: fc.array(desired, { minLength: 1, maxLength: 4 }),
  /** For each step: it goes well; it fails; the agent dies before, or after it. */
  luck: fc.array(fc.constantFrom('well', 'well', 'well', 'fails', 'dies before', 'dies after'), { maxLength: 40 }),
})

/** An engine as small as it can be: what the steps do to it, and what it refuses. */
class Engine {
  containers: (Held & { ports: number[] })[]
  pulled: Record<string, number>
  private made = 0
  constructor(seen: { containers: readonly Omit<Held, 'id'>[]; pulled: Record<string, number> }) {
    this.containers = seen.containers.map((each) => ({ ...each, id: `id-${++this.made}`, ports: [] }))
    this.pulled = { ...seen.pulled }
  }
  seen = (): Seen => ({ containers: this.containers.map(({ ports: _, ...each }) => each), pulled: { ...this.pulled } })
  private get(id: string) {
    const found = this.containers.find((each) => each.id === id)
    if (!found) throw new Error('no such container')
    return found
  }
  private begin(container: Engine['containers'][number]) {
    const taken = this.containers
      .filter(({ id, state }) => id !== container.id && (state === 'running' || state === 'paused'))
      .flatMap(({ ports }) => ports)
    if (container.ports.some((port) => taken.includes(port))) throw new Error('port in use')
    container.state = 'running'
  }
  carryOut(step: Step) {
    if (step.do === 'pull') return void (this.pulled[step.name] = step.wanted.generation)
    if (step.do === 'create') {
      if (this.containers.some(({ name }) => name === step.name)) throw new Error('name in use')
      if (this.pulled[step.name] !== step.wanted.generation) throw new Error('no such image')
      const { name, generation, restart, ports } = step.wanted
      this.containers.push({
        name,
        generation,
        restart,
        state: 'created',
        exit_code: 0,
        id: `id-${++this.made}`,
        ports: ports.map(({ host }) => host),
      })
      return
    }
    if (!('id' in step)) return this.begin(this.containers.find(({ name }) => name === step.name)!)
    const container = this.get(step.id)
    if (step.do === 'start' || step.do === 'unpause') this.begin(container)
    else if (step.do === 'restart') {
      this.begin(container)
      container.restart = step.restart
    } else if (step.do === 'stop') Object.assign(container, { state: 'exited', exit_code: 137 })
    else {
      if (container.state === 'running') throw new Error('it runs')
      this.containers = this.containers.filter((each) => each !== container)
    }
  }
}

const isRight = (container: Held, wanted: DesiredContainer) =>
  container.generation === wanted.generation &&
  container.state !== 'dead' &&
  (wanted.run === 'stopped'
    ? container.state === 'created' || container.state === 'exited'
    : container.restart === wanted.restart &&
      (container.state === 'running' || container.state === 'restarting' || hasFinished(container, wanted)))

/** One look and its steps, as the agent does it. Whether it got through. */
function round(engine: Engine, wanted: DesiredContainer[], nextLuck: () => string): void {
  const before = engine.seen()
  const steps = plan(before, wanted)
  for (const container of before.containers) {
    const own = wanted.find(({ name }) => name === container.name)
    const isOnly = before.containers.filter(({ name }) => name === container.name).length === 1
    if (own && isOnly && isRight(container, own)) expect(steps.filter(({ name }) => name === container.name)).toEqual([])
  }
  const failed = new Set<string>()
  for (const step of steps) {
    if (failed.has(step.name)) continue
    const luck = nextLuck()
    if (luck === 'dies before') return
    try {
      if (luck === 'fails') throw new Error('fails')
      engine.carryOut(step)
    } catch {
      failed.add(step.name)
    }
    if (luck === 'dies after') return
  }
}

test('from whatever is there it comes to what is wanted, whatever fails and whenever the agent dies', () => {
  fc.assert(
    fc.property(history, ({ containers, pulled, wishes, luck }) => {
      const engine = new Engine({ containers, pulled })
      let now = 0
      let last: DesiredContainer[] = []
      for (const wish of wishes) {
        last = wish.map(({ port, ...each }) =>
          // Other ports are another generation: the server uses none twice.
          wantedOf({
            ...each,
            generation: each.generation + port - 30_000,
            ports: [{ host: port + names.indexOf(each.name), container: 80, protocol: 'tcp' }],
          })
        )
        // Two of one port are refused by the server.
        const taken = new Set<number>()
        last = last.filter(({ ports }) => !taken.has(ports[0]!.host) && taken.add(ports[0]!.host))
        const end = now + Math.ceil(luck.length / wishes.length)
        while (now < end) {
          const before = now
          round(engine, last, () => luck[now++] ?? 'well')
          if (now === before) break
        }
      }
      for (let n = 0; n < 3; n++) round(engine, last, () => 'well')
      expect(plan(engine.seen(), last)).toEqual([])
      expect(engine.containers.map(({ name }) => name).toSorted()).toEqual(last.map(({ name }) => name).toSorted())
      for (const wanted of last)
        expect(engine.containers.filter((each) => each.name === wanted.name && isRight(each, wanted))).toHaveLength(1)
    }),
    { numRuns }
  )
})

test('what runs goes on until the image that replaces it is there', () => {
  const old: Held = { id: 'a', name: 'relay', generation: 1, restart: 1, state: 'running', exit_code: 0 }
  const wanted = wantedOf({ name: 'relay', generation: 2, restart: 2 })
  expect(plan({ containers: [old], pulled: {} }, [wanted]).map((step) => step.do)).toEqual([
    'pull',
    'stop',
    'remove',
    'create',
    'start_new',
  ])
  expect(plan({ containers: [old], pulled: { relay: 2 } }, [wanted]).map((step) => step.do)).toEqual([
    'stop',
    'remove',
    'create',
    'start_new',
  ])
})

test('two containers that swap their ports both stop before either starts', () => {
  const both = ['relay', 'logger'].map((name): Held => ({ id: name, name, generation: 1, restart: 1, state: 'running', exit_code: 0 }))
  const wanted = ['relay', 'logger'].map((name) => wantedOf({ name, generation: 2 }))
  const steps = plan({ containers: both, pulled: { relay: 2, logger: 2 } }, wanted).map((step) => `${step.do} ${step.name}`)
  expect(steps.findLastIndex((step) => step.startsWith('stop'))).toBeLessThan(steps.findIndex((step) => step.startsWith('start')))
})

test('what is to be stopped stops at once, before an image is pulled for it', () => {
  const old: Held = { id: 'a', name: 'relay', generation: 1, restart: 1, state: 'running', exit_code: 0 }
  const steps = plan({ containers: [old], pulled: {} }, [wantedOf({ name: 'relay', generation: 2, run: 'stopped' })])
  expect(steps.map((step) => step.do)).toEqual(['stop', 'pull', 'remove', 'create'])
})

test('what has ended as it was meant to stays, until it is to start anew', () => {
  const done: Held = { id: 'a', name: 'relay', generation: 1, restart: 1, state: 'exited', exit_code: 0 }
  const wanted = wantedOf({ name: 'relay', restart_policy: 'on_failure' })
  expect(plan({ containers: [done], pulled: {} }, [wanted])).toEqual([])
  expect(plan({ containers: [{ ...done, exit_code: 3 }], pulled: {} }, [wanted]).map((step) => step.do)).toEqual(['start'])
  expect(plan({ containers: [done], pulled: {} }, [{ ...wanted, restart: 2 }]).map((step) => step.do)).toEqual(['restart'])
})
