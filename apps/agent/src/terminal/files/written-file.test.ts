import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { troubleOf } from './place.ts'
import { ReadFile } from './read-file.ts'
import { WrittenFile } from './written-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'written-'))
const path = join(folder, 'a')
const begin = (more = {}) => WrittenFile.begin({ path, name: 'a', size: 3, replace: false, ...more })

test('no room, and a name that another took meanwhile: neither leaves anything', async () => {
  await expect(begin({ size: Number.MAX_SAFE_INTEGER })).rejects.toMatchObject({ end: 'no_space' })
  const file = await begin()
  await file.write(Buffer.from('abc'))
  writeFileSync(path, 'theirs')
  const kept = await file.keep().catch((error: unknown) => troubleOf(error, path).end)
  expect(kept).toBe('exists')
  await file.drop()
  expect(readFileSync(path, 'utf8')).toBe('theirs')
  expect(readdirSync(folder)).toEqual(['a'])
})

test('a file that became shorter while it is read says so', async () => {
  writeFileSync(path, 'long enough')
  const file = await ReadFile.begin({ path })
  writeFileSync(path, 'short')
  await expect(file.read(0, 11)).rejects.toMatchObject({ end: 'changed' })
  await file.drop()
  rmSync(folder, { recursive: true })
})
