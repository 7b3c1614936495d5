import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newArea } from './new/area.ts'
import { newCall } from './new/call.ts'
import { Change } from './new/change.ts'
import { newEvent } from './new/event.ts'
import { givenIn, newList } from './new/list.ts'
import { newPanel } from './new/panel.ts'
import { newScreen } from './new/screen.ts'
import { Refused } from './new/words.ts'
import { root, run } from './run.ts'

const help = `npm run new -- WHAT AREA NAME

  list AREA NOUNS            a table, its rows, and the call that lists them: list assets notes --on-asset
  call AREA VERB_NOUN        a call that gets or changes something: call assets add_note --on-asset --event note_added
  event AREA WHAT_HAPPENED   an event: event assets note_added
  screen AREA NOUNS          the screen of a list: screen tags rules
  panel assets NOUNS         a list --on-asset, on the page of the asset: panel assets notes
  area NOUNS                 an area with its first list: area depots --access assets.view

  --on-asset                 below /assets/{asset_id}
  --event WHAT_HAPPENED      what a call that changes something records
  --access PERMISSION        where it is not AREA.view or AREA.edit

It writes contract, route, query, test, sample and access row, and says what is yours to fill in. A new table gets its checksum once it is final, and a call that
changes something needs its button, before all passes.`

const kinds = ['list', 'call', 'event', 'screen', 'panel', 'area'] as const

function make(args: string[], change: Change): string[] {
  const options = { 'on-asset': { type: 'boolean', default: false }, event: { type: 'string' }, access: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
  const [kind, area = '', name = '', ...rest] = positionals
  const isArea = kind === 'area'
  if (!kinds.some((known) => known === kind) || area === '' || (name === '') !== isArea || rest.length > 0) throw new Refused(help)
  const given = givenIn(root)
  if (isArea) return newArea(change, { area, access: values.access }, given)
  if (!existsSync(join(root, 'packages/contract/src', area))) throw new Refused(`There is no area ${area}: npm run new -- area ${area}`)
  const asked = { area, name, onAsset: values['on-asset'], event: values.event, access: values.access }
  if (kind === 'event') return newEvent(change, asked)
  if (kind === 'screen') return newScreen(change, asked)
  if (kind === 'panel') return newPanel(change, asked)
  if (kind === 'call') return newCall(change, asked)
  return newList(change, asked, given)
}

try {
  const change = new Change(root)
  const toFillIn = make(process.argv.slice(2), change)
  const paths = change.save()
  const tools = [
    {
      name: 'format',
      command: process.execPath,
      args: [join(root, 'node_modules/.bin/oxfmt'), ...paths.filter((path) => !path.endsWith('.sql'))],
    },
    { name: 'openapi', command: process.execPath, args: [join(root, 'tools/openapi.ts')] },
  ]
  for (const step of tools) {
    const { ok, output } = await run(step)
    if (!ok) throw new Refused(`${step.name} failed:\n${output}`)
  }
  console.log(
    `Written:\n${paths.map((path) => `  ${path}`).join('\n')}\n\nYours to fill in:\n${toFillIn.map((words) => `  - ${words}`).join('\n')}`
  )
  console.log('\nThen: npm run verify, with what tests of yours it is to run (paths, or parts of them)')
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
