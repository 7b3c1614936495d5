import {
  agentTopicOf,
  answerTopic,
  Command,
  commandTopic,
  DesiredState,
  desiredTopic,
  reportedTopic,
  vitalsTopic,
  type AgentTopic,
  type ReportedState,
} from '@masthead/contract/devices/agent/messages'
import { answerCommand } from './commands.ts'
import { keepContainers } from './containers/containers.ts'
import type { Engine } from './engine/engine.ts'
import { bootedAt, readHost, readSystem } from './host/host.ts'
import { readInterfaces } from './host/interfaces.ts'
import { vitalsReader, type Places } from './host/vitals.ts'
import { openLink, type Login } from './link.ts'
import { openNotes } from './notes.ts'
import { version } from './version.ts'

type Given = {
  login: Login
  engine: Engine
  places: Places
  /** The file of what is remembered. */
  notesPath: string
  now?: () => Date
  random?: () => number
  say: (words: string) => void
  reboot: () => void
  vitalsEvery?: number
  reportsEvery?: number
}

/** Two reports are at least so far apart. */
const apart = 1000 // ms

/** Everything that the agent does, until it is stopped. */
export function startAgent(given: Given) {
  const { login, engine, places, notesPath, say, reboot, now = () => new Date(), random = Math.random } = given
  const { vitalsEvery = 30_000, reportsEvery = 60_000 } = given
  const notes = openNotes(notesPath)
  const readVitals = vitalsReader(places)
  const started_at = now().toISOString()
  const system = readSystem()
  const topicOf = (topic: AgentTopic) => agentTopicOf(login.device_id, topic)
  let seq = 0
  let due: NodeJS.Timeout | undefined

  const containers = keepContainers({ engine, notes, now, random, onChange: reportSoon })
  const link = openLink({
    login,
    topics: [topicOf(desiredTopic), topicOf(commandTopic)],
    random,
    onMessage,
    onUp: () => {
      report()
      sendVitals()
    },
    say,
  })
  containers.start()
  const vitalsTimer = setInterval(sendVitals, vitalsEvery)
  const reportTimer = setInterval(reportSoon, reportsEvery)

  function sendVitals() {
    link.send(topicOf(vitalsTopic), readVitals(now()))
  }

  function reportSoon() {
    due ??= setTimeout(report, apart)
  }

  function report() {
    clearTimeout(due)
    due = undefined
    const { engine: engineVersion, revision: _, ...of } = containers.report()
    const state: ReportedState = {
      at: now().toISOString(),
      seq: ++seq,
      started_at,
      revision: notes.get().desired?.revision ?? 0,
      versions: { agent: version, ...system, engine: engineVersion },
      host: readHost(places),
      booted_at: bootedAt(now()),
      interfaces: readInterfaces(places),
      ...of,
    }
    link.send(topicOf(reportedTopic), state, { replaces: true })
  }

  function onMessage(topic: string, payload: Buffer) {
    const kind = [desiredTopic, commandTopic].find((each) => topicOf(each) === topic)
    if (!kind) return
    const given = read(kind, payload)
    if (!given) return say(`A message of ${kind.word} was not understood`)
    if (kind === desiredTopic) {
      const desired = DesiredState.parse(given)
      say(`Wanted: revision ${desired.revision}, ${desired.containers.length} containers`)
      containers.setDesired(desired)
      return reportSoon()
    }
    void answer(Command.parse(given))
  }

  async function answer(command: Command) {
    const done = await answerCommand(command, { engine, notes })
    if (!done) return
    link.send(topicOf(answerTopic), done.answer)
    if (!done.then) return
    say('The server asked for a reboot')
    await link.emptied(5000)
    reboot()
  }

  return {
    link,
    stop: async (): Promise<void> => {
      clearInterval(vitalsTimer)
      clearInterval(reportTimer)
      clearTimeout(due)
      await containers.stop()
      clearTimeout(due)
      await link.stop()
    },
  }
}

/** What a message says, if it is one: not too large, and of the declared form. */
function read(kind: AgentTopic, payload: Buffer): unknown {
  if (payload.length > kind.most_bytes) return undefined
  try {
    const parsed = kind.message.safeParse(JSON.parse(payload.toString()))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
