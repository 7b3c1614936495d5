import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, writeWhole } from '../write-file.ts'

/** Which version of the agent is in use, in one file: a change of it is there as a whole or not at all. */
export type Standing = {
  current: string
  /** While the current one is on trial: what is used again if it does not come up. */
  trial: { id: string; before: string; starts: number; reported: boolean; at: string } | null
  /** The last that did not come up. */
  left: { id: string; version: string; words: string; at: string } | null
}

export const mostStarts = 3
export const programName = 'masthead-agent.mjs'

export const programOf = (home: string, version: string): string => join(home, 'versions', version, programName)
const fileOf = (home: string) => join(home, 'standing.json')

/** Null: nothing is installed. A file that was damaged is as if there were none; then it is the newest version that is there. */
export function readStanding(home: string): Standing | null {
  const read = readJson(fileOf(home)) as Partial<Standing> | undefined
  const { current, trial = null, left = null } = read ?? {}
  if (typeof current === 'string' && existsSync(programOf(home, current))) return { current, trial, left }
  if (trial && existsSync(programOf(home, trial.before))) return { current: trial.before, trial: null, left }
  const there = versionsAt(home).filter((version) => existsSync(programOf(home, version)))
  const newest = there.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))[0]
  return newest === undefined ? null : { current: newest, trial: null, left: null }
}

/** Folders of versions, and of downloads that did not end. */
export function versionsAt(home: string): string[] {
  const folder = join(home, 'versions')
  return existsSync(folder) ? readdirSync(folder) : []
}

export const writeStanding = (home: string, standing: Standing): void => writeWhole(fileOf(home), JSON.stringify(standing))

/** Leaves a version that is on trial. */
export function goBack(home: string, { current, trial }: Standing, why: string, at: Date): Standing {
  const { id, before } = trial!
  const left = { id, version: current, words: `Version ${current} ${why}. Version ${before} is used again`, at: at.toISOString() }
  const standing: Standing = { current: before, trial: null, left }
  writeStanding(home, standing)
  return standing
}

/** Called before each start: what is to be started. A version on trial that was started too often is left. */
export function nextStart(home: string, at: Date): Standing | null {
  const standing = readStanding(home)
  if (!standing?.trial) return standing
  try {
    if (standing.trial.starts >= mostStarts) return goBack(home, standing, `ended ${mostStarts} times within its first two minutes`, at)
    const next: Standing = { ...standing, trial: { ...standing.trial, starts: standing.trial.starts + 1 } }
    writeStanding(home, next)
    return next
  } catch {
    // The disk is full: a version whose starts cannot be counted might be started for ever.
    return { ...standing, current: standing.trial.before, trial: null }
  }
}

/** Called at the end of the two minutes: the version that reported stays, another is left. True: it is left. */
export function endTrial(home: string, version: string, at: Date): boolean {
  const standing = readStanding(home)
  if (!standing?.trial || standing.current !== version) return false
  if (standing.trial.reported) {
    writeStanding(home, { ...standing, trial: null, left: null })
    return false
  }
  goBack(home, standing, 'did not reach the server within two minutes', at)
  return true
}

/** The version on trial has reported to the server. */
export function noteReported(home: string, version: string): void {
  const standing = readStanding(home)
  if (!standing?.trial || standing.current !== version || standing.trial.reported) return
  writeStanding(home, { ...standing, trial: { ...standing.trial, reported: true } })
}
