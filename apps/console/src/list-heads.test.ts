/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Where a table is narrow it is a list without heads: "2 min ago" alone says nothing there unless it is when the row itself came about.
const plain = ['Time', 'When', 'Date', 'Account', 'Secret', 'Last']
const here = import.meta.dirname
const times = globSync('*/**/*.tsx', { cwd: here })
  .filter((file) => !file.startsWith('gallery/'))
  .flatMap((file) =>
    readFileSync(join(here, file), 'utf8')
      .split(/\bid: (?='[a-z_]+',)/)
      .slice(1)
      .map((text) => text.slice(0, Math.min(...[text.indexOf('\n  },'), text.indexOf('\n    },'), 700].filter((at) => at > 0))))
      .filter((text) => text.includes("list: 'below'") && /RelativeTime|MomentTime|formatDay/.test(text))
      .map((text) => [file, /header: '([^']+)'/.exec(text)?.[1] ?? '', text] as const)
      .filter(([, header]) => !plain.includes(header))
  )

test('there are such columns', () => expect(times.length).toBeGreaterThan(8))

test.each(times)('%s: %s has its head before it', (_file, _header, text) => expect(text).toContain('listHead: true'))
