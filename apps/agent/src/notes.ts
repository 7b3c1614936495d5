import * as z from 'zod/mini'
import { DesiredState } from '@masthead/contract/devices/agent/messages'
import { readJson, writeWhole } from './write-file.ts'

/** What the agent must know after a restart and no engine knows. */
const Notes = z.object({
  /** What was wanted last: without a connection it goes on with that. */
  desired: z.nullable(DesiredState),
  /** Of each container, the generation whose image was pulled, and the newest restart that was done. */
  pulled: z.record(z.string(), z.int()),
  restarted: z.record(z.string(), z.int()),
  /** Of each container, what ran before and is kept until this generation of it is up; `failed`: it did not come up. */
  kept: z._default(
    z.record(
      z.string(),
      z.object({ id: z.string(), generation: z.int(), failed: z.nullable(z.object({ words: z.string(), at: z.string() })) })
    ),
    {}
  ),
  /** Commands that were done, the newest last. */
  done: z.array(z.string()),
})
export type Notes = z.output<typeof Notes>

const mostDone = 50

/** Kept in a file; each change is on the disk before it counts. A file that was damaged is as if there were none. */
export function openNotes(path: string) {
  const read = Notes.safeParse(readJson(path))
  let notes: Notes = read.success ? read.data : { desired: null, pulled: {}, restarted: {}, kept: {}, done: [] }
  return {
    get: (): Notes => notes,
    change(part: Partial<Notes>): void {
      const next = { ...notes, ...part }
      next.done = next.done.slice(-mostDone)
      writeWhole(path, JSON.stringify(next))
      notes = next
    },
  }
}

export type KeptNotes = ReturnType<typeof openNotes>
