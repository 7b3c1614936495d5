import type { Change } from './change.ts'
import type { Name } from './words.ts'

/** The button that adds one to a list, and its form, where the call for it is declared: `add_note` beside `list_notes`. */
export function addButtonOf(change: Change, { contract, noun, onAsset }: { contract: string; noun: Name; onAsset: boolean }) {
  const op = `add${noun.pascal}`
  const declared = change.has(contract) ? change.read(contract) : ''
  // With a body of its own the form is yours.
  if (!new RegExp(`const ${op} =[^]*?body: z\\.object\\(\\{ name: Name \\}\\)`).test(declared)) return null
  const kit = onAsset ? '../../kit' : '../kit'
  const given = onAsset ? ' asset={asset}' : ''
  return {
    op,
    label: `Add ${noun.words}`,
    element: `<Add${noun.pascal}${given} />`,
    imports: `import { useState } from 'react'
import { ActionButton } from '${kit}/ActionButton.tsx'
import { FormText } from '${kit}/FormField.tsx'
import { FormModal } from '${kit}/FormModal.tsx'
`,
    component: `
function Add${noun.pascal}(${onAsset ? '{ asset }: { asset: Asset }' : ''}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton operation={${op}} icon={Plus} onClick={() => setOpen(true)}>
        Add ${noun.words}
      </ActionButton>
      <FormModal
        open={open}
        onClose={() => setOpen(false)}
        title="Add a ${noun.words}"
        operation={${op}}
        values={{ name: '' }}
        ${onAsset ? 'input={(body) => ({ params: { asset_id: asset.id }, body })}\n        ' : ''}submit="Add"
      >
        <FormText name="name" label="Name" />
      </FormModal>
    </>
  )
}
`,
    /** What its browser test does with it: the row is there without a reload. */
    steps: `  const name = crypto.randomUUID()
  await page.getByRole('button', { name: 'Add ${noun.words}' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText(name, { exact: true }).first()).toBeVisible()
`,
  }
}
