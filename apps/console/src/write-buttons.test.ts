/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isWrite, type Operation } from '@masthead/contract/kernel/operation'
import { isPermission } from '@masthead/contract/kernel/permission'
import { expect, test } from 'vitest'

// Whatever changes something and wants a permission of the account is begun by a button that asks for that permission: e2e/permissions.e2e.ts
// presses one for each permission, this finds the rest. Whoever is on a screen may look, so what only looks (`assets.findNumbers`) asks for nothing.
const here = import.meta.dirname
const contract = join(here, '../../../packages/contract/src')
const files = globSync('**/*operations.ts', { cwd: contract })
const modules = await Promise.all(
  files.map(async (file) => ({
    from: `@masthead/contract/${file.replace(/\.ts$/, '')}`,
    exported: (await import(/* @vite-ignore */ join(contract, file))) as Record<string, unknown>,
  }))
)
const isOperation = (one: unknown): one is Operation => typeof one === 'object' && one !== null && 'method' in one && 'access' in one
const writes = modules
  .flatMap(({ from, exported }) => Object.entries(exported).map(([name, op]) => ({ from, name, op })))
  .flatMap(({ from, name, op }) =>
    isOperation(op) && isWrite(op) && isPermission(op.access) && !op.access.endsWith('.view') ? [{ from, name, access: op.access }] : []
  )

/** What is only named as a type is not called. */
const typesAlone = /import type \{[^}]*\}|typeof \w+/g

const sources = globSync('*/**/*.{ts,tsx}', { cwd: here })
  .filter((file) => !/\.test\.|^(gallery|ui)\//.test(file))
  .map((file) => ({ folder: file.split(sep)[0]!, text: readFileSync(join(here, file), 'utf8').replaceAll(typesAlone, '') }))
/** By the module as well: two areas may have a call of the same name. */
const takes = (text: string, name: string, from: string) => new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '${from}'`).test(text)

/** What has no door of its own is asked for where it is opened: tags are chosen and made in a menu and a dialog of an asset. */
const openedFrom: Record<string, string> = { tags: 'assets' }

/** Programs alone call these; the console does the same by other calls of the same permission. */
const forPrograms: ReadonlySet<string> = new Set(['deployApp', 'updateApp'])

test('there are such calls', () => expect(writes.length).toBeGreaterThan(25))

test.each(writes.filter(({ name }) => !forPrograms.has(name)).map(({ name, access, from }) => [name, access, from] as const))(
  '%s is called where %s is asked for',
  (name, access, from) => {
    const callers = new Set(sources.filter(({ text }) => takes(text, name, from)).map(({ folder }) => folder))
    expect(callers.size, `nothing in the console calls ${name}`).toBeGreaterThan(0)
    // A button may ask by another call of the same permission: its dialog calls more than one.
    const ofTheSame = writes.filter((one) => one.access === access).map((one) => one.name)
    const asking = new RegExp(`(<\\w+Button\\b[^<]*operation=\\{|\\w+: |(denied|refused|useDenied\\(\\))\\()(${ofTheSame.join('|')})\\b`)
    const asks = [...callers].filter((folder) =>
      sources.some((one) => one.folder === (openedFrom[folder] ?? folder) && asking.test(one.text))
    )
    expect(asks, `no button in ${[...callers].join(', ')} asks for ${access}`).toEqual([...callers])
  }
)
