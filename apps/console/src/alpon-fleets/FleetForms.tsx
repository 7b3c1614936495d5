import type { AddedAssets, Fleet } from '@masthead/contract/alpon-fleets/fleet'
import { addFleetAssets, createFleet, deleteFleet, updateFleet } from '@masthead/contract/alpon-fleets/operations'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { FormAssets } from '../kit/FormAssets.tsx'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { plain, toast } from '../ui/toast.ts'

type Closing = { onClose: () => void }

/** "1 asset", "1,204 assets". */
export const assetsWords = (count: number) => (count === 1 ? '1 asset' : `${count.toLocaleString('en')} assets`)

export const CreateFleetForm = ({ onClose, onDone }: Closing & { onDone: (fleet: Fleet) => void }) => (
  <FormModal open onClose={onClose} title="New fleet" operation={createFleet} values={{ name: '' }} submit="Create fleet" onDone={onDone}>
    <FormText name="name" label="Name" placeholder="Depots North" autoFocus />
  </FormModal>
)

export const RenameFleetForm = ({ fleet, onClose }: Closing & { fleet: Fleet }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Rename ${fleet.name}`}
    operation={updateFleet}
    values={{ name: fleet.name }}
    input={(body) => ({ params: { fleet_id: fleet.id }, body })}
    submit="Rename"
  >
    <FormText name="name" label="Name" autoFocus />
  </FormModal>
)

export const DeleteFleet = ({ fleet, onClose, onDone }: Closing & { fleet: Fleet; onDone?: () => void }) => (
  <ConfirmCall
    operation={deleteFleet}
    input={{ params: { fleet_id: fleet.id } }}
    title={`Delete ${fleet.name}?`}
    confirm="Delete fleet"
    color="danger"
    done={`${plain(fleet.name)} is deleted`}
    onDone={onDone}
    onClose={onClose}
  >
    Its assets stay, and what runs on them goes on.
  </ConfirmCall>
)

export const AddAssetsForm = ({ fleet, onClose, onRefused }: Closing & { fleet: Fleet; onRefused: (added: AddedAssets) => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Add assets to ${fleet.name}`}
    operation={addFleetAssets}
    values={{ assets: [] }}
    input={(body) => ({ params: { fleet_id: fleet.id }, body })}
    submit="Add assets"
    onDone={(added) => (added.refused.length > 0 ? onRefused(added) : toast.success(addedWords(added)))}
  >
    <p className="text-fg-2">Only devices that run containers can be in a fleet: ALPON X4, ALPON X5 AI and Axis GW.</p>
    {fleet.version !== null && (
      <p className="text-fg-2">
        They get version {fleet.version}, which the fleet runs. Containers that it does not name are removed from them.
      </p>
    )}
    <FormAssets />
  </FormModal>
)

const assetsWere = (count: number) => `${assetsWords(count)} ${count === 1 ? 'was' : 'were'}`
export const addedWords = ({ added, already }: AddedAssets) =>
  `${assetsWere(added)} added${already > 0 ? `; ${assetsWere(already)} in the fleet before` : ''}`

/** Each asset that was not added, with the reason. */
export const RefusedAssets = ({ of, onClose }: Closing & { of: AddedAssets }) => (
  <Modal open onClose={onClose} title={`${assetsWere(of.refused.length)} not added`} footer={<Button onClick={onClose}>Close</Button>}>
    <p className="text-fg-2">{addedWords(of)}.</p>
    <ul className="mt-3 grid max-h-80 gap-2 overflow-y-auto" tabIndex={0} aria-label="Assets that were not added">
      {of.refused.map(({ key, name, words }) => (
        <li key={key}>
          <span className={name === null ? 'mono wrap-anywhere' : 'font-medium wrap-anywhere'}>{name ?? key}</span>
          <span className="block text-xs text-fg-3">{words}</span>
        </li>
      ))}
    </ul>
  </Modal>
)
