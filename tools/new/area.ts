import { permissions } from '../../packages/contract/src/kernel/permission.ts'
import type { Change } from './change.ts'
import { type Given, newList } from './list.ts'
import { nameOf, plural, Refused, singular } from './words.ts'

/** `npm run new -- area NOUNS`: an area of the API with its first call, which lists what the area is named after. */
export function newArea(change: Change, { area, access }: { area: string; access?: string | undefined }, given: Given): string[] {
  const noun = nameOf(singular(nameOf(area).snake))
  const nouns = nameOf(plural(noun.snake))
  if (area !== nouns.snake) throw new Refused(`An area is named after what it has, all of them: ${nouns.snake}`)
  const permission = access ?? `${area}.view`
  if (!Object.hasOwn(permissions, permission))
    throw new Refused(
      `There is no permission ${permission}: name one with --access, or declare it in packages/contract/src/kernel/permission.ts first`
    )
  const [server, list] = [`apps/server/src/${area}`, `${noun.camel}Routes`]
  change.create(`${server}/routes.ts`, `import { type Route } from '../kernel/http/routes.ts'\n\nexport const ${list}: Route[] = [\n]\n`)
  const routes = 'apps/server/src/routes.ts'
  change.addImport(routes, `{ ${list} }`, `./${area}/routes.ts`)
  change.addToList(routes, 'routes: readonly Route[] = [', `...${list}`)
  change.insert('packages/contract/src/kernel/live.ts', { from: 'export type Area =', before: `  | 'usage'` }, `  | '${area}'\n`)
  return [
    ...newList(change, { area, name: area, onAsset: false, access: permission, event: undefined }, given),
    `Who may change something there: a permission of its own, or --access with each call.`,
    `What it is, in a line: docs/architecture.md, and docs/glossary.md where the word is new.`,
    `npm run verify -- server/src/${area}`,
  ]
}
