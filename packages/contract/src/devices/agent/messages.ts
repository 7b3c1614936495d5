import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'
import { ReportedNetwork } from '../network/reported.ts'
import { DesiredNetwork } from '../network/settings.ts'
import { DesiredContainer, mostContainers, ReportedContainer } from './container.ts'
import { ReportedUpdate, WantedAgent } from './update.ts'

/** Topics of a device (docs/decisions/0035), by its id: its reports, its first and its last word, and what it is to do. */
export const agentTopics = (device_id: string) => ({
  hive: `device/${device_id}/hive`,
  birth: `device/${device_id}/birth`,
  death: `device/${device_id}/death`,
  directives: `device/${device_id}/directives`,
})
/** The client id that a broker expects. */
export const agentClientId = (device_id: string): string => `device/${device_id}`

const line = (most: number) => z.string().check(z.maxLength(most))
const percent = z.number().check(z.minimum(0), z.maximum(100))
const whole = z.int().check(z.nonnegative())

/** What the device is doing, at a time of its clock. Null: it cannot be read there. */
export const Vitals = z.object({
  at: Time,
  cpu_pct: z.nullable(percent),
  cores: whole,
  load_1: z.number(),
  memory_used_bytes: whole,
  memory_total_bytes: whole,
  disk_used_bytes: whole,
  disk_total_bytes: whole,
  temperature_c: z.nullable(z.number()),
  uptime_s: whole,
  undervolted: z.nullable(z.boolean()),
  /** Of the agent's own process. */
  agent_rss_bytes: whole,
})
export type Vitals = z.output<typeof Vitals>

/** `E` Ethernet, `W` Wi-Fi, `C` cellular, `X` another (domain §6.4). */
export const Interface = z.object({
  name: line(32),
  kind: z.enum(['E', 'W', 'C', 'X']),
  up: z.boolean(),
  addresses: z.array(line(64)).check(z.maxLength(16)),
  mac: z.nullable(line(32)),
  metric: z.nullable(z.int()),
  received_bytes: whole,
  sent_bytes: whole,
})
export type Interface = z.output<typeof Interface>

/** Everything that is there, each time: nothing of the message before has to be known. */
export const ReportedState = z.object({
  at: Time,
  /** Counts up for as long as the agent runs; with `started_at` it says which of two reports is the newer. */
  seq: whole,
  started_at: Time,
  /** The revision of the desired state that it works at; 0: it has none. */
  revision: whole,
  versions: z.object({ agent: line(40), os: line(120), kernel: line(120), engine: z.nullable(line(120)) }),
  host: z.object({ name: line(255), arch: line(20), model: z.nullable(line(120)), serial: z.nullable(line(120)) }),
  booted_at: Time,
  interfaces: z.array(Interface).check(z.maxLength(32)),
  /** Null while no container engine answers; `engine_words` then says why. */
  containers: z.nullable(z.array(ReportedContainer).check(z.maxLength(mostContainers * 2))),
  engine_words: z.nullable(line(500)),
  /** Of its own update; an agent of before says nothing of it. */
  update: z.optional(z.nullable(ReportedUpdate)),
})
export type ReportedState = z.output<typeof ReportedState>

/** The whole of what is wanted. An agent asks for it when it connects, when it is notified that it changed, and now and then. */
export const DesiredState = z.object({
  revision: whole,
  containers: z.array(DesiredContainer).check(z.maxLength(mostContainers)),
  /** Null: nothing is wanted of its network. */
  network: z._default(z.nullable(DesiredNetwork), null),
  /** The agent that it is to be; a server of before says nothing of it. */
  agent: z.optional(z.nullable(WantedAgent)),
  /** As `mqtts_ca` of the claim; a server of before says nothing of it. */
  mqtts_ca: z.optional(z.nullable(z.string())),
})
export type DesiredState = z.output<typeof DesiredState>

/** Lines of a log in one answer, and bytes of all of them: a device's reports are kept together. */
export const mostLogLines = 200
export const mostLogBytes = 20_000

/** What the agent itself wrote is asked for as the log of this: no container has such a name, and an agent of before answers that there is none. */
export const agentLog = '@agent'

/** Something to do once. The agent answers each by its id and does none twice. */
export const Command = z.discriminatedUnion('do', [
  z.object({ id: line(40), do: z.literal('reboot') }),
  // For Wi-Fi networks; what is found stands in the next report.
  z.object({ id: line(40), do: z.literal('scan') }),
  // The device opens the connection for it itself. The size is that of the window.
  z.object({ id: line(40), do: z.literal('terminal'), session: line(40), cols: whole, rows: whole }),
  // The same for a tunnel: to a port of the device, or of an address beside it.
  z.object({ id: line(40), do: z.literal('tunnel'), tunnel: line(40), port: whole, address: z.nullable(line(45)) }),
  z.object({ id: line(40), do: z.literal('logs'), container: line(63), lines: z.int().check(z.minimum(1), z.maximum(mostLogLines)) }),
  // Its lines as they come, for so long; asked for again it goes on.
  z.object({ id: line(40), do: z.literal('follow'), container: line(63), seconds: z.int().check(z.minimum(1), z.maximum(120)) }),
])
export type Command = z.output<typeof Command>

export const LogLine = z.object({ at: z.nullable(Time), stream: z.enum(['stdout', 'stderr']), text: line(1000) })
export type LogLine = z.output<typeof LogLine>

/** Lines in one message of a log that is followed, and bytes of them. */
export const mostFollowedLines = 40
export const mostFollowedBytes = 2500
/** So many messages of followed logs are kept beside each other, the oldest in turn. */
export const keptFollowed = 6

/** A part of a log that is followed. */
export const LogPart = z.object({
  container: line(63),
  /** Another each time that the agent begins to follow. */
  run: line(40),
  /** The number of its first line in the run, and how many before it were too many to send. */
  from: whole,
  skipped: whole,
  lines: z.array(LogLine).check(z.maxLength(mostFollowedLines)),
  /** It is not followed any more; `words`: why, unless nobody asked for more. */
  ended: z.boolean(),
  words: z.nullable(line(500)),
})
export type LogPart = z.output<typeof LogPart>
/** By its place among those that are kept. */
export const LogParts = z.record(z.string(), LogPart)
export type LogParts = z.output<typeof LogParts>

/** What became of a command. */
export const Answer = z.object({
  id: line(40),
  ok: z.boolean(),
  /** Why it was not done. */
  words: z.nullable(line(500)),
  lines: z.nullable(z.array(LogLine).check(z.maxLength(mostLogLines))),
})
export type Answer = z.output<typeof Answer>

/** Bytes of one report; what is larger a broker ends the connection at, each time that it is sent. */
export const mostReportBytes = 60_000

/** What an agent reports, by section: each message is the whole of its section (of a log that is followed, one part), and is acknowledged once it is stored. */
export const agentSections = { vitals: Vitals, agent: ReportedState, network: ReportedNetwork, answer: Answer, log: LogParts } as const
export type AgentSection = keyof typeof agentSections

export const reportOf = (section: AgentSection, data: Vitals | ReportedState | ReportedNetwork | Answer | LogParts, mid: string) => ({
  type: `data_${section}`,
  data,
  mid,
})

/** `look`: something else is wanted, ask for it. `ack`: a report is stored. */
export const Directive = z.discriminatedUnion('command', [
  z.object({ command: z.literal('look') }),
  z.object({ command: z.literal('run'), data: Command }),
  z.object({ command: z.literal('ack'), data: z.string() }),
])
export type Directive = z.output<typeof Directive>
