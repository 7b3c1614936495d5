/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// spec §8: an empty table reads "No data found". What it would hold, and the first step, stand below.
const here = import.meta.dirname
const empties = globSync('*/**/*.tsx', { cwd: here })
  .filter((file) => !file.startsWith('gallery/'))
  .flatMap((file) =>
    readFileSync(join(here, file), 'utf8')
      .split(/\bempty=\{|\bempty = /)
      .slice(1)
      .flatMap((text) => /^\s*(?:\(?\s*)?(<[^>]*)>/.exec(text)?.[1] ?? [])
      .map((tag) => [file, tag.replaceAll(/\s+/g, ' ')] as const)
  )

test('there are such tables', () => expect(empties.length).toBeGreaterThan(12))

test.each(empties)('%s: %s', (_, tag) => expect(tag).toContain('title="No data found"'))

test('a team of nobody but its owner, whose table is not drawn at all, and a map’s list say the same', () => {
  const read = (file: string) => readFileSync(join(here, file), 'utf8')
  expect(read('teams/TeamSection.tsx')).toMatch(/alone \? \(\s*<EmptyState\s*title="No data found"/)
  expect(read('ui/MapList.tsx')).toContain('No data found')
})
