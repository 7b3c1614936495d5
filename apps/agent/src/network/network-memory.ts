import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import type { NetworkStep } from '@masthead/contract/devices/network/plan'
import { readJson, writeWhole } from '../write-file.ts'

const text = z.nullable(z.string())
const apn = z.object({ name: text, user: text, password: text })
const wifi = z.object({ ssid: z.string(), security: z.enum(['open', 'wpa2', 'wpa3']), hidden: z.boolean(), password: text })
const Step = z.discriminatedUnion('do', [
  z.object({ do: z.literal('set_metric'), uuid: z.string(), device: z.string(), metric: z.nullable(z.int()) }),
  z.object({ do: z.literal('set_apn'), uuid: z.string(), apn, withProfile: z.optional(z.boolean()) }),
  z.object({ do: z.literal('set_wifi'), wifi }),
  z.object({ do: z.literal('forget_wifi'), ssid: z.string() }),
  z.object({ do: z.literal('connect'), uuid: z.string() }),
  z.object({ do: z.literal('enable_profile'), iccid: z.string() }),
  z.object({ do: z.literal('disable_profile'), iccid: z.string() }),
]) satisfies z.ZodMiniType<NetworkStep>

const Memory = z.object({
  /** How the settings were before the change that is on trial. Whoever finds it after a restart puts them back. */
  trial: z.nullable(
    z.object({
      generation: z.int(),
      undo: z.array(Step),
      began_at: z.string(),
      until: z.string(),
      words: text,
      ending: z.nullable(z.object({ state: z.enum(['undone', 'failed']), words: z.string() })),
    })
  ),
  last: z.nullable(
    z.object({
      generation: z.int(),
      state: z.enum(['kept', 'undone', 'failed']),
      words: text,
      began_at: z.string(),
      ended_at: z.string(),
    })
  ),
  /** The latest thing that was to be done with profiles of the eSIM, noted before it is begun. */
  esim: z._default(
    z.nullable(
      z.object({
        generation: z.int(),
        do: z.enum(['add', 'delete']),
        state: z.enum(['running', 'done', 'failed']),
        step: text,
        percent: z.int(),
        words: text,
        iccid: z.optional(z.string()),
        at: z.string(),
      })
    ),
    null
  ),
  pin: z.nullable(
    z.object({ generation: z.int(), state: z.enum(['trying', 'unlocked', 'refused', 'failed']), words: text, at: z.string() })
  ),
})
type NetworkMemory = z.output<typeof Memory>

/** Its file lies beside that of what is remembered else. */
export const networkMemoryBeside = (notesPath: string): string => join(dirname(notesPath), 'network.json')

/** What the agent must know of the network after a restart, or after a loss of power. */
export function openNetworkMemory(path: string) {
  const read = Memory.safeParse(readJson(path))
  let memory: NetworkMemory = read.success ? read.data : { trial: null, last: null, pin: null, esim: null }
  return {
    get: (): NetworkMemory => memory,
    /** `sure`: it counts once it is on the disk, or fails. Else it counts where nothing can be written, too: the next run then finds what was before. */
    change(part: Partial<NetworkMemory>, { sure = true } = {}): void {
      const next = { ...memory, ...part }
      try {
        writeWhole(path, JSON.stringify(next))
      } catch (error) {
        if (sure) throw error
      }
      memory = next
    },
  }
}

export type NetworkMemoryFile = ReturnType<typeof openNetworkMemory>
