import { expect, test } from 'vitest'
import { matchCommands, type Command } from './palette-match.ts'

const command = (label: string, note?: string): Command => ({ id: label, group: 'Screens', label, note, run: () => {} })
const commands = [command('Total Data Usage', 'Cellular'), command('Assets', 'Operations'), command('Dark theme')]
const found = (wanted: string) => matchCommands(commands, wanted).map(({ label }) => label)

test.each([
  ['', ['Total Data Usage', 'Assets', 'Dark theme']],
  ['  DATA ', ['Total Data Usage']],
  ['cellular usage', ['Total Data Usage']],
  ['usage dark', []],
  ['ass', ['Assets']],
])('"%s" finds %j', (wanted, labels) => {
  expect(found(wanted)).toEqual(labels)
})
