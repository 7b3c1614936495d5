import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'

export const AgentVersion = z.string().check(z.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, 'Three numbers with dots between them'))

/** Whole, from 0 to 100. */
export const Percent = z.int().check(z.minimum(0), z.maximum(100))

/** An update that was asked for, as the device learns of it: the file comes from the server that it belongs to, and has this checksum. */
export const WantedAgent = z.object({ id: z.string(), version: AgentVersion, sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) })
export type WantedAgent = z.output<typeof WantedAgent>

/**
 * How far a device is with an update. `on_trial`: the new version runs, and is left if it does not come up. `failed`: it could not be had, and is
 * tried again. `gone_back`: it did not come up, and the version before runs again.
 */
const AgentUpdateState = z.enum(['downloading', 'on_trial', 'failed', 'gone_back'])
export const ReportedUpdate = z.object({
  id: z.string().check(z.maxLength(40)),
  version: z.string().check(z.maxLength(40)),
  state: AgentUpdateState,
  words: z.nullable(z.string().check(z.maxLength(500))),
  at: Time,
  /** Of its download, while that is known; an agent of before does not say. */
  percent: z.optional(z.nullable(Percent)),
})
export type ReportedUpdate = z.output<typeof ReportedUpdate>

/** Whether a version is newer than another; of what is no version nothing is known. */
export function isNewer(version: string | null, than: string | null): boolean {
  if (!AgentVersion.safeParse(version).success || !AgentVersion.safeParse(than).success) return false
  const [mine, theirs] = [version!.split('.').map(Number), than!.split('.').map(Number)]
  const at = mine.findIndex((part, i) => part !== theirs[i])
  return at >= 0 && mine[at]! > theirs[at]!
}

/** What all agents said of themselves before each build had a version of its own. */
const ofBefore = '0.1.0'

/** Of an agent: `version` as it reported it; what has none is taken to be new. */
const isOfBefore = (version: string | null) => AgentVersion.safeParse(version).success && !isNewer(version, ofBefore)

/**
 * Whether an agent knows how to read an image. Those of before may know none by sha512, and none of more than 300 characters: with one of these they refuse the
 * whole of what is wanted, so that their other containers are not kept up to date either.
 */
export const agentKnowsImage = (version: string | null, image: string): boolean =>
  !isOfBefore(version) || (image.length <= 300 && !image.includes('@sha512:'))

/** Whether an agent sets the network of its device. Some of before do, and have said what it is like. */
export const agentSetsNetwork = (version: string | null, hasSaid: boolean): boolean => hasSaid || !isOfBefore(version)

/** The agent of a device: what runs, what the server has, and the update that was asked for last. */
export const Agent = z.object({
  /** Null: it has not reported yet. */
  version: z.nullable(z.string()),
  /** Null: this server brings no agent. */
  offered: z.nullable(z.string()),
  /** By which it may sign in in place of its token. `ends_at`: of the one that it signed in with last, or was given since; null: it was given before that was kept. */
  certificate: z.nullable(z.object({ ends_at: z.nullable(Time) })),
  /** Whether what the server has is newer. */
  newer: z.boolean(),
  update: z.nullable(
    z.object({
      version: z.string(),
      asked_by: z.string(),
      asked_at: Time,
      /** `asked`: the device has not answered; `done`: it runs this version; `lapsed`: the server has another by now. */
      state: z.enum(['asked', ...AgentUpdateState.options, 'done', 'lapsed']),
      words: z.nullable(z.string()),
      at: z.nullable(Time),
      /** Of its download; null: there is none, or the device does not say. */
      percent: z.nullable(Percent),
    })
  ),
})
export type Agent = z.output<typeof Agent>
