import { addButtonOf } from './add-button.ts'
import type { Change } from './change.ts'
import { sentenceOf } from './event.ts'
import { nameOf, plural, Refused, singular } from './words.ts'

/** `npm run new -- screen AREA NOUNS`: the screen of a list, its place in the menu, and its test in the browser. */
export function newScreen(change: Change, { area, name, access }: { area: string; name: string; access?: string | undefined }): string[] {
  const noun = nameOf(singular(nameOf(name).snake))
  const nouns = nameOf(plural(noun.snake))
  const contract = `packages/contract/src/${area}/${noun.kebab}-operations.ts`
  const op = `list${nouns.pascal}`
  if (!change.has(contract) || !change.read(contract).includes(`const ${op} =`))
    throw new Refused(`${contract} declares no ${op}: npm run new -- list ${area} ${nouns.snake}`)
  const declared = change.read(contract)
  if (/path: '[^']*\{/.test(declared.slice(declared.indexOf(`const ${op} =`), declared.indexOf('})', declared.indexOf(`const ${op} =`)))))
    throw new Refused(`${op} is about one asset: npm run new -- panel assets ${nouns.snake}`)
  const permission = access ?? `${area}.view`
  const [folder, title] = [`apps/console/src/${area}`, sentenceOf(nouns.snake)]
  const button = addButtonOf(change, { contract, noun, onAsset: false })
  const screens = 'apps/console/src/customer-screens.ts'
  change.insert(
    screens,
    { from: 'export const customerScreens', before: `  {\n    path: '/faq'` },
    `  {
    path: '/${nouns.kebab}',
    title: '${title}',
    subtitle: 'Say in a sentence what one does here.',
    teamPermissions: accessOf<typeof ${op}>('${permission}'),
    load: () => import('./${area}/${nouns.pascal}Screen.tsx'),
  },
`
  )
  change.addImport(screens, `type { ${op} }`, `@masthead/contract/${area}/${noun.kebab}-operations`)
  const menu = 'apps/console/src/menu.ts'
  change.addImport(menu, '{ List }', 'lucide-react')
  change.insert(
    menu,
    { from: `title: 'Operations'`, before: '    ],\n  },\n' },
    `      { label: '${title}', icon: List, ...leadsTo('/${nouns.kebab}') },\n`
  )
  change.create(
    `${folder}/${noun.kebab}-columns.tsx`,
    `import type { ${noun.pascal} } from '@masthead/contract/${area}/${noun.kebab}'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import type { Column } from '../ui/Table.tsx'

export const ${noun.camel}Columns: Column<${noun.pascal}>[] = [
  { id: 'name', header: 'Name', fixed: true, list: 'title', cell: ({ name }) => name },
  { id: 'created', header: 'Added', width: 140, numeric: true, list: 'aside', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]
`
  )
  change.create(
    `${folder}/${nouns.pascal}Screen.tsx`,
    `import { ${button ? `${button.op}, ` : ''}${op} } from '@masthead/contract/${area}/${noun.kebab}-operations'
import { List${button ? ', Plus' : ''} } from 'lucide-react'
${button ? button.imports : ''}import { QueryTable } from '../kit/QueryTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ${noun.camel}Columns } from './${noun.kebab}-columns.tsx'

/** The ${nouns.words} of the account, newest first. */
export default function ${nouns.pascal}Screen() {
  return (
    <QueryTable
      operation={${op}}
      label="${title}"
      columns={${noun.camel}Columns}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      live
${button ? `      actions={${button.element}}\n` : ''}      empty={
        <EmptyState icon={List} title="No data found"${button ? ` actions={${button.element}}` : ''}>
          Say what a ${noun.words} is, and how the first one comes here.
        </EmptyState>
      }
    />
  )
}
${button ? button.component : ''}`
  )
  change.create(
    `e2e/${nouns.kebab}.e2e.ts`,
    `import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

test('${nouns.words}: with none there are words, and nothing is wrong for who cannot see', async ({ page, open, expectAccessible }) => {
  await openAccount(page, { email: \`\${crypto.randomUUID()}@example.test\`, password: 'correct horse', team_name: '${title}' })
  await open('/${nouns.kebab}')
  await expect(page.getByRole('heading', { level: 1, name: '${title}' })).toBeVisible()
  await expect(page.getByText('Say what a ${noun.words} is')).toBeVisible()
  await expectAccessible()
${button ? button.steps : ''}})
`
  )
  return [
    `Its subtitle: ${screens}; its place in the menu: ${menu}. What is empty says what to do: ${folder}/${nouns.pascal}Screen.tsx.`,
    `Columns: ${folder}/${noun.kebab}-columns.tsx. What may be done with a row: rowActions, disabled with the reason.`,
    `Rows for the demo: apps/server/src/demo. Then e2e/${nouns.kebab}.e2e.ts looks at them, and at what may be done with them.`,
    `npm run verify -- e2e/${nouns.kebab}.e2e.ts e2e/every-screen.e2e.ts e2e/permissions.e2e.ts`,
  ]
}
