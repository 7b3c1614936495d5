import { openProbe } from '../kernel/database/probe.ts'
import { type Part, wordsOfPart } from './health.ts'

/** `ask`: its process's answer, undefined where there is none within so many milliseconds. */
type Process = Part & { ask: (question: string, patience: number) => Promise<string | undefined> }

const patience = 2000 // ms

/**
 * Says why a process of ours (`name`, as a sentence begins with it) does not do its work, in words; null while it does. It is asked itself, because
 * what it needs may be away for it alone: its answer to `question` is why, or empty.
 */
export function openChildProbe(name: string, child: Process, question: string): () => Promise<string | null> {
  const silent = `${name} does not answer`
  const ask = async () => {
    const words = await child.ask(question, patience)
    return words === undefined ? silent : words || null
  }
  const why = openProbe(ask, { patience, words: () => silent, late: silent })
  return async () => wordsOfPart(name, child) ?? why()
}
