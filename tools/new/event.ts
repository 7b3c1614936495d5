import { permissions } from '../../packages/contract/src/kernel/permission.ts'
import type { Change } from './change.ts'
import { nameOf, Refused, type Name } from './words.ts'

export type EventFields = { imports?: [what: string, from: string][]; detail: string; sentence: string; access?: string }

/** Declares an event of an area. `given`: what happened, in the past tense: `note_added`. */
export function addEvent(change: Change, area: string, given: string, { imports = [], detail, sentence, access }: EventFields): Name {
  const name = nameOf(given)
  const path = `packages/contract/src/${area}/events.ts`
  if (!change.has(path)) beginEvents(change, area, path, access)
  if (change.read(path).includes(`'${area}.${name.snake}'`)) throw new Refused(`${area}.${name.snake} is there already`)
  for (const [what, from] of imports) change.addImport(path, what, from)
  change.append(
    path,
    `export const ${name.camel} = event({
  name: '${area}.${name.snake}',
  refreshes: ['${area}'],
  detail: ${detail},
  sentence: ${JSON.stringify(sentence)},
})
`
  )
  return name
}

/** The first event of an area: event-reading.ts says who reads them. Whoever may see what the call changes, which asks for `access`. */
function beginEvents(change: Change, area: string, path: string, access = '') {
  const reading = 'packages/contract/src/event-reading.ts'
  const permission = [`${area}.view`, access.replace(/\.\w+$/, '.view'), 'overview.view'].find((name) => Object.hasOwn(permissions, name))!
  change.insert(reading, { from: 'export const readingPermissions = {\n', before: '} as const satisfies' }, `  ${area}: '${permission}',\n`)
  change.create(path, `import * as z from 'zod/mini'\nimport { event } from '../kernel/event.ts'\n`)
  const all = 'packages/contract/src/events.ts'
  change.addImport(all, `* as ${area}`, `./${area}/events.ts`)
  change.insert(all, { from: 'const areas: ', before: '\n}' }, `\n  ${area},`)
}

/** `npm run new -- event AREA WHAT_HAPPENED` */
export function newEvent(change: Change, { area, name }: { area: string; name: string }): string[] {
  const { camel } = addEvent(change, area, name, { detail: 'z.object({ name: z.string() })', sentence: `${sentenceOf(name)}: {name}` })
  return [
    `The detail of ${camel} in packages/contract/src/${area}/events.ts: what the sentence needs, and the ids that a webhook's receiver needs.`,
    'Its sentence: past tense, with fields of the detail in braces. A name of an asset is asset_name, which hides it from who may not see it.',
    `record(tx, actor, ${camel}, { … }) in the function that does it, and in its test what house.events says.`,
  ]
}

/** The first words of a sentence that is still to be written. */
export const sentenceOf = (given: string): string => nameOf(given).words.replace(/^./, (letter) => letter.toUpperCase())
