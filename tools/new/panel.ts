import { addButtonOf } from './add-button.ts'
import type { Change } from './change.ts'
import { sentenceOf } from './event.ts'
import { nameOf, plural, Refused, singular } from './words.ts'

/** `npm run new -- panel assets NOUNS`: a list of an asset, on the asset's page, and its test in the browser. */
export function newPanel(change: Change, { area, name }: { area: string; name: string }): string[] {
  if (area !== 'assets') throw new Refused('Panels are of the page of an asset: npm run new -- panel assets notes')
  const noun = nameOf(singular(nameOf(name).snake))
  const nouns = nameOf(plural(noun.snake))
  const contract = `packages/contract/src/assets/${noun.kebab}-operations.ts`
  const op = `list${nouns.pascal}`
  const declared = change.has(contract) ? change.read(contract) : ''
  if (!new RegExp(`const ${op} =[^)]*path: '/assets/\\{asset_id\\}/`).test(declared))
    throw new Refused(`${contract} declares no ${op} of an asset: npm run new -- list assets ${nouns.snake} --on-asset`)
  const [folder, title, file] = ['apps/console/src/assets/page', sentenceOf(nouns.snake), `asset-${nouns.kebab}.e2e.ts`]
  const button = addButtonOf(change, { contract, noun, onAsset: true })
  const [panel, page] = [`${nouns.pascal}Panel`, `${folder}/AssetOverview.tsx`]
  change.create(
    `${folder}/${panel}.tsx`,
    `import type { Asset } from '@masthead/contract/assets/asset'
import type { ${noun.pascal} } from '@masthead/contract/assets/${noun.kebab}'
import { ${button ? `${button.op}, ` : ''}${op} } from '@masthead/contract/assets/${noun.kebab}-operations'
import { List${button ? ', Plus' : ''} } from 'lucide-react'
${button ? button.imports : ''}import { QueryTable } from '../../kit/QueryTable.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import type { Column } from '../../ui/Table.tsx'

const columns: Column<${noun.pascal}>[] = [
  { id: 'name', header: 'Name', list: 'title', cell: ({ name }) => name },
  { id: 'created', header: 'Added', width: 140, numeric: true, list: 'aside', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

/** The ${nouns.words} of an asset, newest first. */
export const ${panel} = ({ asset }: { asset: Asset }) => (
  <Panel flush title="${title}"${button ? ` end={${button.element}}` : ''}>
    <QueryTable
      operation={${op}}
      input={{ params: { asset_id: asset.id } }}
      label="${title}"
      columns={columns}
      rowId={({ id }) => id}
      prefix="${nouns.snake}_"
      plain
      empty={
        <EmptyState icon={List} title="No data found">
          Say what a ${noun.words} is, and how the first one comes here.
        </EmptyState>
      }
    />
  </Panel>
)
${button ? button.component : ''}`
  )
  change.addImport(page, `{ ${panel} }`, `./${panel}.tsx`)
  change.insert(page, { from: 'export function AssetOverview', before: '          <EventsPanel' }, `          <${panel} asset={asset} />\n`)
  change.create(
    `e2e/${file}`,
    `import { expect, test } from './fixtures.ts'

test('${nouns.words} stand on the page of their asset', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/assets?page_size=1')).json()) as { items: { id: string }[] }
  await open(\`/assets/\${items[0]!.id}\`)
  await expect(page.getByRole('heading', { level: 2, name: '${title}', exact: true })).toBeVisible()
  await expectAccessible()
${button ? button.steps : `  await expect(page.getByText('Say what a ${noun.words} is')).toBeVisible()\n`}})
`
  )
  return [
    `Columns, and the words where there are none: ${folder}/${panel}.tsx. Its place on the page: ${page}.`,
    `Rows for the demo: apps/server/src/demo. Then e2e/${file} looks at them, and at what may be done with them.`,
    `npm run verify -- assets/${op.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} e2e/${file} e2e/asset.e2e.ts e2e/permissions.e2e.ts`,
  ]
}
