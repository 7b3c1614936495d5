import type { Login } from '../link.ts'
import type { Size } from '@masthead/contract/terminal/session'
import { startShell, type StartShell } from './shell.ts'
import { openTerminal } from './terminal.ts'

type Given = { login: Login & { server: string }; say: (words: string) => void; start?: StartShell }

/** So many shells at once: more than anybody has open, and few enough for a small device. */
const most = 20

/** The terminals that are open on this device. */
export function keepTerminals({ login, say, start = startShell }: Given) {
  const open = new Map<string, ReturnType<typeof openTerminal>>()
  return {
    open(session: string, size: Size): void {
      if (open.has(session) || open.size >= most) return
      say(`The server asked for a terminal, ${session}`)
      open.set(session, openTerminal({ login, session, size, start, say, onEnd: () => void open.delete(session) }))
    },
    breakOff: () => {
      for (const terminal of open.values()) terminal.breakOff()
    },
    breakOffFiles: () => {
      for (const terminal of open.values()) terminal.breakOffFiles()
    },
    files: () => [...open.values()].reduce((sum, terminal) => sum + terminal.files(), 0),
    size: () => open.size,
    stop(): void {
      for (const terminal of open.values()) terminal.end()
    },
  }
}
