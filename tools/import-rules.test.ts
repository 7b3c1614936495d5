import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const pretend = mkdtempSync(join(tmpdir(), 'masthead-imports-'))

/** A file, what it may import, what it may not: the table of docs/architecture.md, so that a rule which stopped biting is seen. */
const table: { file: string; may: string[]; mayNot: string[] }[] = [
  {
    file: 'packages/contract/src/kernel/page.ts',
    may: ['zod/mini', './id.ts'],
    mayNot: ['zod', 'node:fs', 'react', '../assets/sim.ts', '@masthead/server/kernel/app'],
  },
  {
    file: 'packages/contract/src/assets/asset.ts',
    may: ['zod/mini', '../kernel/id.ts', '../tags/tag.ts', './sim.ts'],
    mayNot: ['fastify', '../tags/operations.ts', '@masthead/server/kernel/app'],
  },
  { file: 'packages/radius/src/packet.ts', may: ['node:crypto', './words.ts'], mayNot: ['@masthead/contract/kernel/id'] },
  {
    file: 'apps/server/src/kernel/record.ts',
    may: ['pg', './app.ts', './live/live.ts', '@masthead/contract/kernel/event'],
    mayNot: ['../assets/index.ts', '../server.ts', '@masthead/contract/assets/sim', '@masthead/testkit/house'],
  },
  {
    file: 'apps/server/src/kernel/live/live.ts',
    may: ['pg', '../app.ts', '../http/routes.ts', './streams.ts', '@masthead/contract/kernel/event'],
    mayNot: ['../../assets/index.ts', '../../server.ts', '@masthead/contract/assets/sim', '@masthead/testkit/house'],
  },
  {
    file: 'apps/server/src/assets/rename-asset.ts',
    may: [
      '../kernel/record.ts',
      '../kernel/http/paging.ts',
      '../tags/index.ts',
      '../developers/webhooks/index.ts',
      './asset-queries.ts',
      './list/list-assets.ts',
      '@masthead/contract/assets/sim',
      '@masthead/radius/packet',
      'kysely',
    ],
    mayNot: [
      '../tags/tag-queries.ts',
      '../developers/webhooks/sign.ts',
      '../server.ts',
      '@masthead/testkit/house',
      '@masthead/simulator/network',
    ],
  },
  {
    file: 'apps/server/src/assets/list/list-assets.ts',
    may: [
      '../../kernel/http/paging.ts',
      '../../kernel/record.ts',
      '../../tags/index.ts',
      '../viewer.ts',
      '../bulk/outcome.ts',
      './asset-sort.ts',
    ],
    mayNot: ['../../tags/tag-queries.ts', '../../developers/webhooks/sign.ts', '../../server.ts', '@masthead/testkit/house'],
  },
  { file: 'apps/server/src/assets/rename-asset.test.ts', may: ['@masthead/testkit/house', './rename-asset.ts'], mayNot: [] },
  { file: 'apps/server/src/assets/test-assets.ts', may: ['@masthead/testkit/house'], mayNot: [] },
  { file: 'apps/server/src/main.ts', may: ['./assets/routes.ts', './kernel/config.ts', '@masthead/contract/assets/sim'], mayNot: [] },
  {
    file: 'apps/console/src/ui/Button.tsx',
    may: ['react', '@base-ui/react/button', './cx.ts'],
    mayNot: ['../api/client.ts', '../kit/FormModal.tsx', 'react-router', '@tanstack/react-query', '@masthead/contract/kernel/page'],
  },
  {
    file: 'apps/console/src/kit/QueryTable.tsx',
    may: ['../ui/Table.tsx', '../api/query.ts', '@masthead/contract/kernel/page', '@tanstack/react-table'],
    mayNot: ['../assets/index.ts', '../shell/guard.ts', '../screens.ts', '@masthead/contract/assets/sim'],
  },
  {
    file: 'apps/console/src/assets/AssetsScreen.tsx',
    may: ['../kit/QueryTable.tsx', '../ui/Button.tsx', '../api/query.ts', '../tags/index.ts', '@masthead/contract/assets/operations'],
    mayNot: ['../tags/TagPicker.tsx', '../shell/Shell.tsx', '@masthead/server/kernel/app', '@tanstack/react-table'],
  },
  {
    file: 'apps/console/src/assets/page/AssetOverview.tsx',
    may: ['../../kit/QueryTable.tsx', '../../api/query.ts', '../../tags/index.ts', '../sim-words.ts', './ServicePanel.tsx'],
    mayNot: ['../../tags/TagPicker.tsx', '../../shell/Shell.tsx', '@masthead/server/kernel/app', '@tanstack/react-table'],
  },
  {
    file: 'apps/console/src/shell/Shell.tsx',
    may: ['../ui/Button.tsx', '../screens.ts', '../api/session.ts'],
    mayNot: ['@masthead/server/kernel/app'],
  },
  {
    file: 'apps/simulator/src/gateway.ts',
    may: ['@masthead/contract/kernel/id', '@masthead/radius/packet', 'node:dgram'],
    mayNot: [
      '@masthead/server/metering/index',
      '../../server/src/main.ts',
      '@masthead/testkit/house',
      '@masthead/agent/terminal/terminals',
    ],
  },
  {
    file: 'apps/simulator/src/devices/simulated-device.ts',
    may: ['@masthead/contract/kernel/id', '@masthead/agent/terminal/terminals', 'mqtt'],
    mayNot: ['@masthead/server/devices/index', '@masthead/testkit/house'],
  },
  {
    file: 'e2e/assets.e2e.ts',
    may: ['@masthead/testkit/product', '@playwright/test', './fixtures.ts'],
    mayNot: ['@masthead/server/kernel/app', '../apps/console/src/main.tsx'],
  },
  {
    file: 'bench/ingest.ts',
    may: ['@masthead/testkit/product', '@masthead/radius/packet'],
    mayNot: ['@masthead/server/kernel/database/database'],
  },
]

const found = new Map<string, string[]>()

beforeAll(() => {
  copyFileSync(join(root, '.oxlintrc.json'), join(pretend, '.oxlintrc.json'))
  for (const { file, may, mayNot } of table) {
    mkdirSync(dirname(join(pretend, file)), { recursive: true })
    const lines = [...may, ...mayNot].map((name, i) => `import * as module${i} from '${name}'\nmodule${i}.use()\n`)
    writeFileSync(join(pretend, file), lines.join(''))
  }
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/.bin/oxlint'), '-f', 'json'], { cwd: pretend, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string; message: string }[] }
  for (const { filename, code, message } of diagnostics) {
    if (code !== 'eslint(no-restricted-imports)') continue
    const refused = found.get(filename) ?? []
    found.set(filename, [...refused, /^'([^']+)'/.exec(message)![1]!])
  }
})
afterAll(() => rmSync(pretend, { recursive: true }))

test.each(table)('$file imports what it may', ({ file, mayNot }) => {
  expect((found.get(file) ?? []).sort()).toEqual([...mayNot].sort())
})
