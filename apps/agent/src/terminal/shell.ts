import { existsSync, readlinkSync } from 'node:fs'
import { userInfo, type UserInfo } from 'node:os'
import type { Size } from '@masthead/contract/terminal/session'
import { ShellInput } from './shell-input.ts'

export type Shell = {
  user: string
  /** `taken`: the terminal has it, or takes nothing more. */
  write: (bytes: Uint8Array, taken: () => void) => void
  resize: (size: Size) => void
  /** What writes is held up while it is paused. */
  pause: () => void
  resume: () => void
  /** The folder that it is in: files are sent from there and to there. A shell without one sends none. */
  folder?: () => string
  end: () => void
}
type Hears = { onBytes: (bytes: Uint8Array) => void; onExit: (code: number) => void }
/** Starts a shell. Rejects in words where there is none. */
export type StartShell = (size: Size, hears: Hears) => Promise<Shell>

/** As a sign-in has it. What belongs to the agent is none of the shell's business. */
const environmentOf = ({ username, homedir }: UserInfo<string>, shell: string) => ({
  HOME: homedir,
  USER: username,
  LOGNAME: username,
  SHELL: shell,
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
})

/** A login shell of the user whom the agent runs as. */
export const startShell: StartShell = async ({ cols, rows }, { onBytes, onExit }) => {
  const who = userInfo()
  const file = [who.shell, '/bin/bash', '/bin/sh'].find((path) => path && !/nologin|false/.test(path) && existsSync(path))
  if (!file) throw new Error('The device has no shell')
  // Loaded when it is needed: it comes with a program for each platform, and a device without one has everything else.
  const { spawn } = await import('@lydell/node-pty').catch(() => {
    throw new Error(`There is no terminal for ${process.platform}/${process.arch}`)
  })
  const cwd = existsSync(who.homedir) ? who.homedir : '/'
  // Without an encoding it hands on the bytes as they are: characters are cut nowhere.
  const pty = spawn(file, ['-l'], { cols, rows, cwd, env: environmentOf(who, file), name: 'xterm-256color', encoding: null })
  pty.onData((chunk) => onBytes(Buffer.from(chunk as unknown as Uint8Array)))
  // What it is of its own kind, beside what each kind has.
  const { fd, _socket } = pty as unknown as { fd: number; _socket: { destroyed: boolean } }
  let over = false
  const input = new ShellInput({ fd, isClosed: () => over || _socket.destroyed })
  pty.onExit(({ exitCode }) => {
    over = true
    input.end()
    onExit(exitCode)
  })
  /** One that has just ended takes nothing more, which is no failure of the agent's. */
  const unlessOver = (act: () => void) => {
    try {
      if (!over) act()
    } catch {
      // It ended, and says so in a moment.
    }
  }
  return {
    user: who.username,
    write: (bytes, taken) => input.write(bytes, taken),
    resize: (size) => unlessOver(() => pty.resize(size.cols, size.rows)),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    folder: () => {
      try {
        return readlinkSync(`/proc/${pty.pid}/cwd`)
      } catch {
        return cwd
      }
    },
    // What it started may hold on to the terminal: it is notified that the terminal is gone, and then has no choice.
    end: () => {
      unlessOver(() => pty.kill('SIGHUP'))
      setTimeout(() => unlessOver(() => pty.kill('SIGKILL')), 2000).unref()
    },
  }
}
