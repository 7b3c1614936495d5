import type { AddedAssets, Fleet, RemovedAssets } from '@masthead/contract/alpon-fleets/fleet'
import { addFleetAssets, createFleet, deleteFleet, removeFleetAssets, updateFleet } from '@masthead/contract/alpon-fleets/operations'
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

export const AddAssetsForm = ({ fleet, onClose, onRefused }: Closing & { fleet: Fleet; onRefused: (done: Done) => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Add assets to ${fleet.name}`}
    operation={addFleetAssets}
    values={{ assets: [] }}
    input={(body) => ({ params: { fleet_id: fleet.id }, body })}
    submit="Add assets"
    onDone={(done) => (done.refused.length > 0 ? onRefused(done) : toast.success(doneWords(done)))}
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

/** By what is printed on them, or from a CSV file. */
export const TakeAssetsOutForm = ({ fleet, onClose, onRefused }: Closing & { fleet: Fleet; onRefused: (done: Done) => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Take assets out of ${fleet.name}`}
    operation={removeFleetAssets}
    values={{ assets: [] }}
    input={(body) => ({ params: { fleet_id: fleet.id }, body })}
    submit="Take out"
    color="danger"
    onDone={(done) => (done.refused.length > 0 ? onRefused(done) : toast.success(doneWords(done)))}
  >
    <p className="text-fg-2">
      What runs on them goes on.
      {fleet.pilot && ` When the pilot ${fleet.pilot.asset_name} is among them, the fleet has no pilot after it.`}
    </p>
    <FormAssets />
  </FormModal>
)

type Done = AddedAssets | RemovedAssets

const assetsWere = (count: number) => `${assetsWords(count)} ${count === 1 ? 'was' : 'were'}`
export const doneWords = (done: Done) =>
  'removed' in done
    ? `${assetsWere(done.removed)} taken out`
    : `${assetsWere(done.added)} added${done.already > 0 ? `; ${assetsWere(done.already)} in the fleet before` : ''}`

/** Each asset that was not added or taken out, with the reason. */
export const RefusedAssets = ({ of, onClose }: Closing & { of: Done }) => {
  const title = `${assetsWere(of.refused.length)} not ${'removed' in of ? 'taken out' : 'added'}`
  return (
    <Modal open onClose={onClose} title={title} footer={<Button onClick={onClose}>Close</Button>}>
      <p className="text-fg-2">{doneWords(of)}.</p>
      <ul className="mt-3 grid max-h-80 gap-2 overflow-y-auto" tabIndex={0} aria-label={title}>
        {of.refused.map(({ key, name, words }) => (
          <li key={key}>
            <span className={name === null ? 'mono wrap-anywhere' : 'font-medium wrap-anywhere'}>{name ?? key}</span>
            <span className="block text-xs text-fg-3">{words}</span>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
