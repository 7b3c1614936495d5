import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'
import { imagePattern } from '../../registry/image-reference.ts'
import { Percent } from './update.ts'

/** Ports of a device that containers may take (domain §6.8). */
const lowestPort = 30_000
const highestPort = 32_767
/** A device runs at most so many containers, with so many ports, volumes and variables each. */
export const mostContainers = 32
export const mostPorts = 16
export const mostVolumes = 16
export const mostVariables = 64

export const ContainerName = z
  .string()
  .check(
    z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'Use up to 63 small letters, digits and dashes; a letter or digit comes first and last')
  )
/** Characters of an image, which has room for the name of a host, a repository, a tag and a digest by sha512. */
export const longestImage = 600
/** As the engine takes it: `alpine`, `registry.example.com:5000/acme/relay:2.4`, or with a digest. */
export const Image = z
  .string()
  .check(z.maxLength(longestImage, `Use at most ${longestImage} characters`), z.regex(imagePattern, 'Enter an image as registry/name:tag'))
const portOf = (words: string, least: number, most: number) => z.int().check(z.minimum(least, words), z.maximum(most, words))
export const Port = z.object({
  /** On the device. */
  host: portOf(`Choose a port from ${lowestPort} to ${highestPort}`, lowestPort, highestPort),
  /** In the container. */
  container: portOf('Choose a port from 1 to 65535', 1, 65_535),
  protocol: z._default(z.enum(['tcp', 'udp']), 'tcp'),
})
const path = z.string().check(z.maxLength(200), z.regex(/^\/[^:\0\n]+$/, 'Enter an absolute path without a colon'))
export const Volume = z.object({
  /** A folder of the device, or a name that the engine keeps a volume by. */
  host: z.union([path, z.string().check(z.regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$/, 'Enter an absolute path or a name'))]),
  container: path,
  mode: z._default(z.enum(['rw', 'ro']), 'rw'),
})
export const VariableName = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'Use letters, digits and underscores'))
export const VariableValue = z
  .string()
  .check(z.maxLength(4000, 'Use at most 4000 characters'), z.regex(/^[^\0]*$/, 'Leave out the NUL character'))

/** `always` also after a restart of the device; `on_failure` where it ended with an error. */
export const RestartPolicy = z.enum(['always', 'on_failure', 'no'])
export type RestartPolicy = z.output<typeof RestartPolicy>
export const Run = z.enum(['running', 'stopped'])

/** A command that runs in the container each so many seconds; it is unhealthy after so many failures in a row. */
export const Health = z.object({
  command: z.string().check(z.minLength(1, 'Enter a command'), z.maxLength(500, 'Use at most 500 characters')),
  every_s: z._default(z.int().check(z.minimum(5, 'Choose 5 to 3600 s'), z.maximum(3600, 'Choose 5 to 3600 s')), 30),
  retries: z._default(z.int().check(z.minimum(1, 'Choose 1 to 20'), z.maximum(20, 'Choose 1 to 20')), 3),
  /** Failures so soon after its start do not count. */
  start_s: z._default(z.int().check(z.minimum(0, 'Choose 0 to 3600 s'), z.maximum(3600, 'Choose 0 to 3600 s')), 0),
})

/**
 * What a device is to run, as it is sent to it. `generation` is another each time that anything of it but `run` and `restart` changed or is to
 * be pulled anew; `restart` each time that it is to be started anew. Neither is used twice on a device.
 */
export const DesiredContainer = z.object({
  name: ContainerName,
  generation: z.int(),
  restart: z.int(),
  run: Run,
  /** Checked when it is entered: one that an earlier version took is sent all the same, so that it keeps nothing else from the device. */
  image: z.string().check(z.maxLength(longestImage)),
  ports: z.array(Port).check(z.maxLength(mostPorts)),
  volumes: z.array(Volume).check(z.maxLength(mostVolumes)),
  environment: z.array(z.object({ name: VariableName, value: VariableValue })).check(z.maxLength(mostVariables)),
  restart_policy: RestartPolicy,
  health: z.nullable(Health),
})
export type DesiredContainer = z.output<typeof DesiredContainer>

/** `waiting`: nothing is begun, or it is tried again later; `finished`: it ended and is not to be started again. */
const ContainerState = z.enum(['waiting', 'downloading', 'created', 'running', 'paused', 'restarting', 'stopping', 'exited', 'removing'])

/** Why it is not as wanted; the console has sentences for each. `rolled_back`: it did not come up, and the one before it runs again. */
export const ContainerProblem = z.enum([
  'image_pull_backoff',
  'crash_loop_backoff',
  'port_in_use',
  'name_in_use',
  'engine_away',
  'failed',
  'rolled_back',
])
export type ContainerProblem = z.output<typeof ContainerProblem>

/** A container of ours on the device, as the engine has it, and one that is wanted and not there. */
export const ReportedContainer = z.object({
  name: z.string().check(z.maxLength(63)),
  /** That of the container which is there; null where none is. */
  generation: z.nullable(z.int()),
  state: ContainerState,
  image: z.nullable(z.string().check(z.maxLength(longestImage))),
  /** Of the image which it runs. */
  digest: z.nullable(z.string().check(z.maxLength(200))),
  health: z.nullable(z.enum(['starting', 'healthy', 'unhealthy'])),
  started_at: z.nullable(Time),
  exit_code: z.nullable(z.int()),
  /** How often the engine started it again by itself. */
  restarts: z.int(),
  cpu_pct: z.nullable(z.number()),
  memory_bytes: z.nullable(z.int()),
  /** How much of its image is there, while it is on its way and the engine says so; at 100 the engine unpacks it. An agent of before does not say. */
  percent: z.optional(z.nullable(Percent)),
  problem: z.nullable(
    z.object({
      code: ContainerProblem,
      /** What the engine said. */
      words: z.string().check(z.maxLength(500)),
      since: Time,
      /** When it is tried again. */
      next_at: z.nullable(Time),
    })
  ),
})
export type ReportedContainer = z.output<typeof ReportedContainer>

/** All of its image has come, and the engine unpacks it. */
export const isUnpacking = ({ percent }: Pick<ReportedContainer, 'percent'>): boolean => percent === 100

/** What is reported of a container that is not on the device, beside its name and its state. */
export const notThere = {
  generation: null,
  image: null,
  digest: null,
  health: null,
  started_at: null,
  exit_code: null,
  restarts: 0,
  cpu_pct: null,
  memory_bytes: null,
  problem: null,
} satisfies Omit<ReportedContainer, 'name' | 'state'>

/** Stands in the words of a problem before what the container printed last. */
export const lastLinesMark = '. Its last lines:\n'
/** The words of a problem for whoever may not read logs. */
export const withoutLastLines = (words: string): string => words.split(lastLinesMark)[0]!
