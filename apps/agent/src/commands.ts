import { agentLog, mostLogBytes, type Answer, type Command, type LogLine } from '@masthead/contract/devices/agent/messages'
import { shownOf } from './containers/container-state.ts'
import type { Engine } from './engine/engine.ts'
import type { KeptNotes } from './notes.ts'

type Done = { answer: Answer; next?: 'reboot' }

/** What becomes of a command. Undefined: it was done before, and is not done or answered again. */
export async function answerCommand(
  command: Exclude<Command, { do: 'terminal' | 'follow' | 'tunnel' | 'scan' }>,
  { engine, notes, ownLog }: { engine: Engine; notes: KeptNotes; ownLog: (lines: number) => LogLine[] }
): Promise<Done | undefined> {
  const { id } = command
  if (command.do === 'logs') {
    if (command.container === agentLog) return { answer: { id, ok: true, words: null, lines: shortened(ownLog(command.lines)) } }
    try {
      const container = shownOf(await engine.list(), command.container)
      if (!container) return { answer: { id, ok: false, words: `There is no container ${command.container}`, lines: null } }
      return { answer: { id, ok: true, words: null, lines: shortened(await engine.logs(container.Id, command.lines)) } }
    } catch (error) {
      return { answer: { id, ok: false, words: (error as Error).message.slice(0, 500), lines: null } }
    }
  }
  const { done } = notes.get()
  if (done.includes(id)) return undefined
  // Noted first: a device that reboots for ever is worse than one that does not once.
  try {
    notes.change({ done: [...done, id] })
  } catch (error) {
    return {
      answer: {
        id,
        ok: false,
        words: `It is not done, because it cannot be noted: ${(error as Error).message}`.slice(0, 500),
        lines: null,
      },
    }
  }
  return { answer: { id, ok: true, words: null, lines: null }, next: 'reboot' }
}

/** The newest lines that fit into one message. */
function shortened(lines: NonNullable<Answer['lines']>) {
  let size = 0
  const from = lines.findLastIndex(({ text }) => (size += Buffer.byteLength(text) + 80) > mostLogBytes)
  return lines.slice(from + 1)
}
