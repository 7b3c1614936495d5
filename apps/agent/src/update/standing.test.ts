import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../version.ts'
import { mostStarts, nextStart, programOf, readStanding, writeStanding } from './standing.ts'
import { keepUpdates } from './updates.ts'

function putVersions(home: string, versions: readonly string[]) {
  for (const each of versions) {
    mkdirSync(dirname(programOf(home, each)), { recursive: true })
    writeFileSync(programOf(home, each), '')
  }
}

test('where nothing can be written the version of before runs, and the trial goes on once something can', () => {
  const home = mkdtempSync(join(tmpdir(), 'agent-home-'))
  const at = new Date('2026-11-28T10:00:00Z')
  const folder = join(home, 'standing.json.new')
  try {
    putVersions(home, ['1.0.0', '1.1.0'])
    const trial = { id: 'one', before: '1.0.0', starts: mostStarts - 1, reported: false, at: at.toISOString() }
    writeStanding(home, { current: '1.1.0', trial, left: null })
    mkdirSync(folder)
    expect(nextStart(home, at)).toEqual({ current: '1.0.0', trial: null, left: null })
    rmSync(folder, { recursive: true })
    expect(nextStart(home, at)).toMatchObject({ current: '1.1.0', trial: { starts: mostStarts } })
    mkdirSync(folder)
    expect(nextStart(home, at)).toEqual({ current: '1.0.0', trial: null, left: null })
    rmSync(folder, { recursive: true })
    expect(nextStart(home, at)).toMatchObject({ current: '1.0.0', trial: null, left: { id: 'one', version: '1.1.0' } })
    expect(readStanding(home)!.current).toBe('1.0.0')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test('the version of before that runs because nothing could be written makes room for the one on trial once something can', async () => {
  const home = mkdtempSync(join(tmpdir(), 'agent-home-'))
  const at = new Date('2026-11-28T10:00:00Z')
  const folder = join(home, 'standing.json.new')
  let restarts = 0
  const updates = keepUpdates({ home, server: '', say: () => {}, now: () => at, onChange: () => {}, restart: () => restarts++ })
  const want = () => updates.want({ id: 'one', version: '9999.1.1', sha256: '0'.repeat(64) })
  try {
    putVersions(home, [version, '9999.1.1'])
    const trial = { id: 'one', before: version, starts: 0, reported: false, at: at.toISOString() }
    writeStanding(home, { current: '9999.1.1', trial, left: null })
    mkdirSync(folder)
    expect(nextStart(home, at)!.current).toBe(version)
    await want()
    expect(restarts).toBe(0)
    rmSync(folder, { recursive: true })
    await want()
    await want()
    expect(restarts).toBe(1)
    expect(nextStart(home, at)).toMatchObject({ current: '9999.1.1', trial: { starts: 1 } })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
