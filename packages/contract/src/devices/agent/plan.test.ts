import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { DesiredContainer } from './container.ts'
import { hasFinished, plan, portKey, type Held, type Kept, type Seen, type Step } from './plan.ts'
import { itFailed, wantedOf } from './test-plan.ts'

const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 200)
vi.setConfig({ testTimeout: 600_000 })

const names = ['relay', 'logger', 'camera', 'metrics']

const generation = fc.integer({ min: 1, max: 4 }).map((n) => n * 10)
const held = fc.record({
  name: fc.constantFrom(...names, 'left-behind'),
  generation,
  restart: fc.integer({ min: 1, max: 3 }),
  state: fc.constantFrom<Held['state']>('created', 'running', 'paused', 'restarting', 'exited', 'dead'),
  exit_code: fc.constantFrom(0, 1, 137),
  is_up: fc.boolean(),
  fails: fc.constantFrom(null, null, null, 'It ended with exit code 1'),
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
  /** What was kept of before: the first ids are those of the containers. */
  kept: fc.dictionary(
    fc.constantFrom(...names),
    fc.record({ id: fc.integer({ min: 1, max: 7 }).map((n) => `id-${n}`), generation, failed: fc.constantFrom(null, itFailed) })
  ),
  /** One wish after the other; the device may see the next while it is at the first. */
  wishes: fc.array(desired, { minLength: 1, maxLength: 4 }),
  /** For each step: it goes well; it fails; the agent dies before, or after it. */
  luck: fc.array(fc.constantFrom('well', 'well', 'well', 'fails', 'dies before', 'dies after'), { maxLength: 40 }),
  /** Of those that are made: which of them come up. */
  comesUp: fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
})

/** An engine as small as it can be: what the steps do to it, and what it refuses. */
class Engine {
  containers: Held[]
  pulled: Record<string, number>
  kept: Record<string, Kept>
  private made = 0
  constructor(seen: { containers: readonly Omit<Held, 'id' | 'ports'>[]; pulled: Record<string, number>; kept: Record<string, Kept> }) {
    this.containers = seen.containers.map((each) => ({ ...each, id: `id-${++this.made}`, ports: [] }))
    this.pulled = { ...seen.pulled }
    this.kept = { ...seen.kept }
  }
  seen = (): Seen => ({
    containers: this.containers.map((each) => ({ ...each })),
    pulled: { ...this.pulled },
    kept: { ...this.kept },
  })
  private get(id: string) {
    const found = this.containers.find((each) => each.id === id)
    if (!found) throw new Error('no such container')
    return found
  }
  private begin(container: Held) {
    if (this.lacksPort(container)) throw new Error('port in use')
    container.state = 'running'
  }
  private lacksPort(container: Held) {
    const taken = this.containers
      .filter(({ id, state }) => id !== container.id && (state === 'running' || state === 'paused'))
      .flatMap(({ ports }) => ports)
    return container.ports.some((port) => taken.includes(port))
  }
  /** One that went back may need a port that another has by now: somebody must decide. */
  isBlocked = (step: Step) => (step.do === 'start' || step.do === 'restart') && this.lacksPort(this.get(step.id))
  carryOut(step: Step) {
    if (step.do === 'pull') return void (this.pulled[step.name] = step.wanted.generation)
    if (step.do === 'create') {
      if (this.containers.some(({ name, generation }) => name === step.name && generation === step.wanted.generation))
        throw new Error('name in use')
      if (this.pulled[step.name] !== step.wanted.generation) throw new Error('no such image')
      const { name, generation, restart, ports } = step.wanted
      this.containers.push({
        name,
        generation,
        restart,
        state: 'created',
        exit_code: 0,
        is_up: false,
        fails: null,
        id: `id-${++this.made}`,
        ports: ports.map(({ host, protocol }) => portKey(host, protocol)),
      })
      return
    }
    if (!('id' in step))
      return this.begin(this.containers.find(({ name, generation }) => name === step.name && generation === step.wanted.generation)!)
    const container = this.get(step.id)
    if (step.do === 'give_up')
      this.kept[step.name] = { id: step.kept, generation: step.generation, failed: { ...itFailed, words: step.words } }
    else if (step.do === 'set_aside') {
      this.kept[step.name] = { id: step.id, generation: step.generation, failed: null }
      Object.assign(container, { state: 'exited', exit_code: 137 })
    } else if (step.do === 'start' || step.do === 'unpause') this.begin(container)
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

/** One check and its steps, as the agent does it. Whether it got through. */
function round(engine: Engine, wanted: DesiredContainer[], nextLuck: () => string): void {
  const before = engine.seen()
  const steps = plan(before, wanted)
  for (const { name, generation } of wanted.filter(({ run }) => run === 'running')) {
    // What is set aside goes away only for one that is up, or has done what it was for.
    const own = before.containers.filter((each) => each.name === name)
    const isGood = own.some((each) => each.generation === generation && (each.is_up || (each.state === 'exited' && each.exit_code === 0)))
    const kept = own.find(({ id, state }) => id === before.kept[name]?.id && state !== 'dead')
    if (kept && kept.generation !== generation && !isGood) expect(steps).not.toContainEqual({ do: 'remove', name, id: kept.id })
  }
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
      // What the engine does not start is given up, where there is one to go back to.
      const kept = engine.kept[step.name]
      const isStart = ['start_new', 'start', 'restart'].includes(step.do)
      if (isStart && kept && wanted.some(({ name, generation }) => name === step.name && generation === kept.generation))
        engine.kept[step.name] = { ...kept, failed: itFailed }
    }
    if (luck === 'dies after') return
  }
}

test('from whatever is there it comes to what is wanted, whatever fails and whenever the agent dies', () => {
  fc.assert(
    fc.property(history, ({ containers, pulled, kept, wishes, luck, comesUp }) => {
      const engine = new Engine({ containers, pulled, kept })
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
      for (let n = 0; n < 6; n++) {
        round(engine, last, () => 'well')
        // It turns out whether what runs comes up.
        for (const each of engine.containers) {
          const does = comesUp[Number(each.id.slice(3)) % comesUp.length]!
          if (each.state === 'running') Object.assign(each, does ? { is_up: true, fails: null } : { fails: 'It ended with exit code 1' })
        }
      }
      const left = plan(engine.seen(), last)
      expect(left.filter((step) => !engine.isBlocked(step))).toEqual([])
      expect(engine.containers.map(({ name }) => name).toSorted()).toEqual(last.map(({ name }) => name).toSorted())
      for (const wanted of last.filter(({ name }) => left.every((step) => step.name !== name))) {
        const one = engine.containers.find(({ name }) => name === wanted.name)!
        const before = engine.kept[wanted.name]
        const isBack = before?.id === one.id && before.generation === wanted.generation && before.failed !== null
        // It is as wanted, or the one of before goes on.
        if (!isBack || one.generation === wanted.generation) expect(isRight(one, wanted)).toBe(true)
        else expect(['running', 'restarting'].includes(one.state)).toBe(wanted.run === 'running')
      }
    }),
    { numRuns }
  )
})
