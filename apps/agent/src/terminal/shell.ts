import { existsSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import type { Size } from '@masthead/contract/terminal/session'

export type Shell = {
  user: string
  write: (bytes: Uint8Array) => void
  resize: (size: Size) => void
  /** What writes is held up while it is paused. */
  pause: () => void
  resume: () => void
  end: () => void
}
type Hears = { onBytes: (bytes: Uint8Array) => void; onExit: (code: number) => void }
/** Starts a shell. Rejects in words where there is none. */
export type StartShell = (size: Size, hears: Hears) => Promise<Shell>

const shells = [process.env.SHELL, '/bin/bash', '/bin/sh']
/** What belongs to the agent is none of the shell's business. */
const environment = () => {
  const { HOME, USER, LOGNAME, PATH, LANG } = process.env
  const kept = { HOME: HOME ?? homedir(), USER, LOGNAME, PATH, LANG: LANG ?? 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor' }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

/** A login shell of the user whom the agent runs as. */
export const startShell: StartShell = async ({ cols, rows }, { onBytes, onExit }) => {
  const file = shells.find((path) => path && existsSync(path))
  if (!file) throw new Error('The device has no shell')
  // Loaded when it is needed: it comes with a program for each platform, and a device without one has everything else.
  const { spawn } = await import('@lydell/node-pty').catch(() => {
    throw new Error(`There is no terminal for ${process.platform}/${process.arch}`)
  })
  const { username: user } = userInfo()
  const cwd = existsSync(homedir()) ? homedir() : '/'
  // Without an encoding it hands on the bytes as they are: characters are cut nowhere.
  const pty = spawn(file, ['-l'], { cols, rows, cwd, env: environment(), name: 'xterm-256color', encoding: null })
  pty.onData((chunk) => onBytes(Buffer.from(chunk as unknown as Uint8Array)))
  pty.onExit(({ exitCode }) => onExit(exitCode))
  return {
    user,
    write: (bytes) => pty.write(Buffer.from(bytes) as unknown as string),
    resize: (size) => pty.resize(size.cols, size.rows),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    // What it started may hold on to the terminal: it hears that the terminal is gone, and then has no choice.
    end: () => {
      pty.kill('SIGHUP')
      setTimeout(() => {
        try {
          pty.kill('SIGKILL')
        } catch {
          // It is gone.
        }
      }, 2000).unref()
    },
  }
}
