import { setTimeout as pause } from 'node:timers/promises'
import { labels } from '@masthead/agent/engine/creation'
import { followLogs } from '@masthead/agent/follow-logs'
import { keepTerminals } from '@masthead/agent/terminal/terminals'
import { keepTunnels } from '@masthead/agent/tunnel/tunnels'
import {
  agentLog,
  Command,
  reportOf,
  type AgentSection,
  type Answer,
  type LogLine,
  type LogParts,
} from '@masthead/contract/devices/agent/messages'
import type { Server } from './ask-server.ts'
import type { PlannedDevice } from './device-plan.ts'
import { simulatedPorts } from './simulated-ports.ts'
import { simulatedShell } from './simulated-shell.ts'
import type { Vitals } from './vitals.ts'

type Given = {
  server: Server
  device: PlannedDevice
  /** The names of those that it runs. */
  containers: () => readonly string[]
  measure: () => ReturnType<Vitals['measure']>
  say: (message: unknown) => void
  reboot: () => void
}

const lineEach = 2000 // ms
const keptCommands = 100

/** What a container wrote at a time: of one that fails, why; of others, that they work. */
function lineOf({ fails }: PlannedDevice, container: string, at: number): LogLine {
  const nth = Math.floor(at / lineEach)
  const isBroken = fails?.container === container
  const text = isBroken ? fails.words : `cycle ${nth % 100_000}: read ${8 + (nth % 5)} values in ${20 + ((nth * 7) % 60)} ms`
  return { at: new Date(nth * lineEach).toISOString(), stream: isBroken ? 'stderr' : 'stdout', text: text.slice(0, 1000) }
}

/** Does what the server asks of our agent once: terminals, tunnels, logs and reboots. */
export function keepCommands({ server, device, containers, measure, say, reboot }: Given) {
  const { host, port, path, name } = server
  const login = {
    url: '',
    server: `http://${host}:${port}${path}`,
    host: name ?? undefined,
    device_id: device.username,
    token: device.password,
  }
  const lastLines = (container: string, count: number) =>
    Array.from({ length: count }, (_, i) => lineOf(device, container, Date.now() - (count - i) * lineEach))
  /** What its agent wrote since it was started: few lines. */
  const ownLines = (_container: string, count: number): LogLine[] =>
    [`Connected to mqtt://${host}`, `Wanted: ${containers().length} containers`, ...containers().map((each) => `${each}: runs`)]
      .map((text): LogLine => ({ at: started_at, stream: 'stdout', text }))
      .slice(-count)
  const shell = simulatedShell({
    ...device,
    containers,
    logOf: (container) => lastLines(container, 20).map(({ text }) => text),
  })
  const terminals = keepTerminals({ login, say: () => {}, start: shell })
  const tunnels = keepTunnels({ login, say: () => {}, dial: simulatedPorts({ ...device, containers, measure }) })
  const logs = followLogs({ engine: { list, follow }, now: () => new Date(), send: (parts) => send('log', parts) })
  const done = new Set<string>()
  const started_at = new Date().toISOString()
  let mids = 0
  const leave = () => {
    terminals.stop()
    tunnels.stop()
    logs.stop()
  }

  function send(section: AgentSection, data: Answer | LogParts) {
    say(reportOf(section, data, `command-${++mids}`))
  }

  function list() {
    const state = { Status: 'running', ExitCode: 0, StartedAt: new Date().toISOString() }
    return Promise.resolve(
      containers().map((each) => ({ Id: each, Image: '', State: state, Config: { Image: '', Labels: { [labels.name]: each } } }))
    )
  }

  async function* follow(container: string, count: number, signal: AbortSignal): AsyncGenerator<LogLine[]> {
    yield lastLines(container, count)
    while (!signal.aborted) {
      // It rejects when nobody follows any more.
      await pause(lineEach, undefined, { signal }).catch(() => {})
      if (!signal.aborted) yield lastLines(container, 1)
    }
  }

  return {
    receive(said: unknown): void {
      const read = Command.safeParse(said)
      if (!read.success) return
      const command = read.data
      if (command.do === 'terminal') return terminals.open(command.session, command)
      if (command.do === 'tunnel') return tunnels.open(command)
      if (command.do === 'follow') return logs.follow(command.container, command.seconds)
      if (command.do === 'logs') {
        const runs = command.container === agentLog || containers().includes(command.container)
        const words = runs ? null : `There is no container ${command.container}`
        const lines = runs ? (command.container === agentLog ? ownLines : lastLines)(command.container, Math.min(50, command.lines)) : null
        return send('answer', { id: command.id, ok: runs, words, lines })
      }
      if (command.do !== 'reboot' || done.has(command.id)) return
      done.add(command.id)
      if (done.size > keptCommands) done.clear()
      send('answer', { id: command.id, ok: true, words: null, lines: null })
      leave()
      reboot()
    },
    stop: leave,
  }
}
