import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { mostStarts, nextStart, programOf, readStanding, writeStanding } from './standing.ts'

test('where nothing can be written the version of before runs, and the trial goes on once something can', () => {
  const home = mkdtempSync(join(tmpdir(), 'agent-home-'))
  const at = new Date('2026-11-28T10:00:00Z')
  const folder = join(home, 'standing.json.new')
  try {
    for (const version of ['1.0.0', '1.1.0']) {
      mkdirSync(dirname(programOf(home, version)), { recursive: true })
      writeFileSync(programOf(home, version), '')
    }
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
