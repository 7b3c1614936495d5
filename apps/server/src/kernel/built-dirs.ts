import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built console, and the agent that devices get with it. */
export type BuiltDirs = { consoleDir: string; agentDir: string }

export function builtDirs(given: string | undefined): BuiltDirs {
  const consoleDir = given ? resolve(given) : fileURLToPath(new URL('../../../console/dist', import.meta.url))
  return { consoleDir, agentDir: join(consoleDir, 'agent') }
}

/** Why the console of the settings cannot be served, as a sentence without its full stop; null where it can. The one of a checkout may be built later. */
export const whyNoConsole = ({ consoleDir }: BuiltDirs): string | null =>
  consoleDir === builtDirs(undefined).consoleDir || existsSync(join(consoleDir, 'index.html'))
    ? null
    : `MASTHEAD_CONSOLE_DIR is ${consoleDir}, where there is no index.html of a built console`
