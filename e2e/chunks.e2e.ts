import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

// Of the build that the other tests run on. No browser is needed; it stands here because the build does.

const folder = join(import.meta.dirname, '../apps/console', 'dist')
const weigh = (name: string) => gzipSync(readFileSync(join(folder, 'static', name)), { level: 9 }).length

test("a screen's own chunk has at most 60 kB (gzip), all that is shared and loaded later too; but for charts, the map and terminals", () => {
  // The list of each screen's files is no wish for them.
  const page = readFileSync(join(folder, 'index.html'), 'utf8').replace(/<meta name="masthead-screens"[^>]*>/, '')
  const chunks = readdirSync(join(folder, 'static')).filter((name) => name.endsWith('.js'))
  // What the page itself asks for is the first screen's, which first-screen.e2e.ts weighs.
  const later = chunks.filter((name) => !page.includes(name) && !/^(plot|map|MapCanvas|MapView|world|xterm|terminal)-/i.test(name))
  expect(later.filter((name) => /Screen-/.test(name)).length).toBeGreaterThan(6)
  expect(later.map((name) => ({ name, bytes: weigh(name) })).filter(({ bytes }) => bytes > 60_000)).toEqual([])
})
