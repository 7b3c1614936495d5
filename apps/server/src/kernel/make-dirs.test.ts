import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirs } from './make-dirs.ts'

const here = mkdtempSync(join(tmpdir(), 'make-dirs-'))

test('directories are made with those above them, and again', () => {
  const dir = join(here, 'one', 'two', 'three')
  makeDirs(dir)
  makeDirs(dir)
  expect(existsSync(dir)).toBe(true)
})

test('where none can be made it throws', () => {
  writeFileSync(join(here, 'file'), '')
  expect(() => makeDirs(join(here, 'file', 'below'))).toThrow(/is a file, not a directory/)
  expect(() => makeDirs(join(here, 'file'))).toThrow(/is a file, not a directory/)
  expect(() => makeDirs('/proc/masthead/data')).toThrow(/ENOENT|EACCES|EPERM|EROFS/)
})
