import { execFile } from 'node:child_process'
import { env } from 'node:process'
import { createInterface } from 'node:readline'

/** What a program said when it did not do as asked. `missing`: it is not on this machine. */
export class ProgramTrouble extends Error {
  readonly missing: boolean
  constructor(words: string, missing = false) {
    super(words)
    this.missing = missing
  }
}

const mostBytes = 1_000_000

/** What is left of so many ms, for programs that run one after the other. Never nothing, which would be without an end. */
export function timeLeft(within: number): () => number {
  const ends = performance.now() + within
  return () => Math.max(1, Math.ceil(ends - performance.now()))
}

/** Runs a program and answers what it wrote. The words of its failure never repeat a secret that it was given. */
export function runProgram(program: string, args: readonly string[], waits = 20_000, onLine?: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const inEnglish = { ...env, LC_ALL: 'C' }
    const child = execFile(
      program,
      args,
      { timeout: waits, killSignal: 'SIGKILL', maxBuffer: mostBytes, env: inEnglish },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout)
        if (error.code === 'ENOENT') return reject(new ProgramTrouble(`${program} is not installed`, true))
        if (error.killed) return reject(new ProgramTrouble(`${program} did not answer within ${Math.ceil(waits / 1000)} s`))
        // nmcli adds where else to look, which is nothing for a console.
        const words =
          stderr
            .replace(/^Hint: .*$/m, '')
            .trim()
            .replace(/^error: /i, '') ||
          stdout.trim() ||
          `${program} ended with ${error.code}`
        reject(new ProgramTrouble(withoutSecrets(words, args).replaceAll(/\s+/g, ' ').slice(0, 300)))
      }
    )
    if (onLine && child.stdout) createInterface(child.stdout).on('line', onLine)
  })
}

/** What such words stand before is a secret, and nmcli repeats what it refuses. */
const secretFollows = /(psk|password|^-a|^-c)$/

function withoutSecrets(words: string, args: readonly string[]): string {
  const secrets = args.flatMap((arg, i) => [/^--pin=(.+)/.exec(arg)?.[1] ?? '', secretFollows.test(args[i - 1] ?? '') ? arg : ''])
  return secrets.filter((secret) => secret !== '').reduce((text, secret) => text.replaceAll(secret, '…'), words)
}
