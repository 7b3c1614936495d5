import { Controller } from 'react-hook-form'
import type { Deployment, DeploymentOnce } from '@masthead/contract/core/deployment'
import { createDeployment, updateDeployment } from '@masthead/contract/core/operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import { FormNumber, FormText } from '../kit/FormField.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { useListError } from '../kit/FormLines.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { useDenied } from '../kit/ActionButton.tsx'
import { EndField } from '../kit/span-fields.tsx'
import { useNetworkGroups } from '../network-groups/index.ts'
import { useTags } from '../tags/index.ts'
import { Select } from '../ui/Select.tsx'
import { TagPicker } from '../ui/TagPicker.tsx'
import { boardNames, regionNames } from './deployment-words.ts'

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }))

const parts = (
  <>
    <FormText name="name" label="Name" hint="Where its devices are: “Kiosks France”" />
    <div className="grid gap-4 @sm:grid-cols-2">
      <FormSelect name="board" label="Board" options={optionsOf(boardNames)} />
      <FormSelect name="region" label="Region nearest to the devices" options={optionsOf(regionNames)} />
    </div>
    <TagsField />
    <GroupField />
    <div className="grid gap-4 @sm:grid-cols-2">
      <FormNumber
        name="max_devices"
        label="At most this many devices"
        hint="Leave it empty for any number."
        min={1}
        max={1_000_000}
        decimals={0}
      />
      <EndField name="expires_at" label="Expires" />
    </div>
  </>
)

/** Tags of the account, by their ids. */
function TagsField() {
  const tags = useTags() ?? []
  const error = useListError('tags')
  return (
    <Controller
      name="tags"
      render={({ field }) => (
        <TagPicker
          label="Tags of each device"
          hint="An asset that is in the account already keeps its own."
          error={error}
          tags={tags}
          chosen={field.value as string[]}
          onChange={field.onChange}
          placeholder="No tags"
        />
      )}
    />
  )
}

/** Nothing where the account has no groups, or one may not see them. Who may not change assets moves no SIM to another one. */
function GroupField() {
  const denied = useDenied()(updateAsset)
  const groups = useNetworkGroups()
  const error = useListError('network_group')
  if (!groups) return null
  return (
    <Controller
      name="network_group"
      render={({ field }) => (
        <Select
          label="Network group of each device"
          options={groups.map(({ id, name }) => ({ value: id, label: name }))}
          value={(field.value as string | null) ?? 'default'}
          onChange={field.onChange}
          error={error}
          hint={denied}
          disabled={denied !== null}
        />
      )}
    />
  )
}

/** Makes a deployment; its token comes back once. */
export const CreateDeploymentModal = ({ onClose, onMade }: { onClose: () => void; onMade: (made: DeploymentOnce) => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="New deployment"
    size="large"
    operation={createDeployment}
    values={{ name: '', board: 'any', region: 'global', tags: [], network_group: null, max_devices: null, expires_at: null }}
    submit="Create deployment"
    onDone={onMade}
  >
    {parts}
  </FormModal>
)

/** Changes what devices get that enrol from now on. */
export const EditDeploymentModal = ({
  deployment,
  onClose,
  onDone,
}: {
  deployment: Deployment
  onClose: () => void
  onDone: () => void
}) => (
  <FormModal
    open
    onClose={onClose}
    title="Edit deployment"
    size="large"
    operation={updateDeployment}
    values={valuesOf(deployment)}
    input={(body) => ({ params: { deployment_id: deployment.id }, body: changesOf(deployment, body) as never })}
    submit="Save"
    onDone={onDone}
  >
    <p className="text-fg-2">Devices that have enrolled stay as they are.</p>
    {parts}
  </FormModal>
)

const valuesOf = ({ name, board, region, tags, network_group, max_devices, expires_at }: Deployment) => ({
  name,
  board,
  region,
  tags: tags.map(({ id }) => id),
  network_group: network_group?.id ?? null,
  max_devices,
  expires_at,
})

/** Only what was changed: an end that has passed, or a tag that is gone, is no mistake of who renames a deployment. */
function changesOf(deployment: Deployment, body: object): object {
  const before: Record<string, unknown> = valuesOf(deployment)
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])))
}
