/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWrite, type Operation } from '@masthead/contract/kernel/operation'
import { isPermission } from '@masthead/contract/kernel/permission'
import { expect, test } from 'vitest'

// Whatever changes something and wants a permission of the account is begun by a button that asks for that permission: e2e/permissions.e2e.ts
// presses one for each permission, this finds the rest.
const here = import.meta.dirname
const contract = join(here, '../../../packages/contract/src')
const files = globSync('*/*operations.ts', { cwd: contract })
const modules = await Promise.all(files.map((file) => import(/* @vite-ignore */ join(contract, file)) as Promise<Record<string, unknown>>))
const isOperation = (one: unknown): one is Operation => typeof one === 'object' && one !== null && 'method' in one && 'access' in one
const writes = modules
  .flatMap((exported) => Object.entries(exported))
  .flatMap(([name, op]) => (isOperation(op) && isWrite(op) && isPermission(op.access) ? [{ name, access: op.access }] : []))

/** What is only named as a type is not called. */
const typesAlone = /import type \{[^}]*\}|typeof \w+/g

const sources = globSync('*/*.{ts,tsx}', { cwd: here })
  .filter((file) => !/\.test\.|^(gallery|ui)\//.test(file))
  .map((file) => ({ folder: dirname(file), text: readFileSync(join(here, file), 'utf8').replaceAll(typesAlone, '') }))
const mentions = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text)

/** What has no door of its own is asked for where it is opened: tags are chosen and made in a menu and a dialog of an asset. */
const openedFrom: Record<string, string> = { tags: 'assets' }

test('there are such calls', () => expect(writes.length).toBeGreaterThan(25))

test.each(writes.map(({ name, access }) => [name, access] as const))('%s is called where %s is asked for', (name, access) => {
  const callers = new Set(sources.filter(({ text }) => mentions(text, name)).map(({ folder }) => folder))
  expect(callers.size, `nothing in the console calls ${name}`).toBeGreaterThan(0)
  // A button may ask by another call of the same permission: its dialog calls more than one.
  const ofTheSame = writes.filter((one) => one.access === access).map((one) => one.name)
  const asking = new RegExp(`(<\\w+Button\\b[^<]*operation=\\{|operation: |(denied|refused|useDenied\\(\\))\\()(${ofTheSame.join('|')})\\b`)
  const asks = [...callers].filter((folder) =>
    sources.some((one) => one.folder === (openedFrom[folder] ?? folder) && asking.test(one.text))
  )
  expect(asks, `no button in ${[...callers].join(', ')} asks for ${access}`).toEqual([...callers])
})
