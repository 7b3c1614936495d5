import type { NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { deleteNetworkGroup } from '@masthead/contract/network-groups/operations'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'

/** Asks before a group goes, and says where its SIMs go. */
export const DeleteGroup = ({ group, onClose, onDone }: { group: NetworkGroup; onClose: () => void; onDone?: () => void }) => (
  <ConfirmCall
    operation={deleteNetworkGroup}
    input={{ params: { network_group_id: group.id } }}
    title={`Delete ${group.name}?`}
    confirm="Delete"
    color="danger"
    done={`${group.name} is deleted`}
    onDone={onDone}
    onClose={onClose}
  >
    <p>
      {group.sims === 0
        ? 'No SIM is in it.'
        : `${group.sims === 1 ? 'Its SIM moves' : `Its ${group.sims.toLocaleString('en')} SIMs move`} to Default, and the limit and the networks of Default apply to ${group.sims === 1 ? 'it' : 'them'} from then on.`}
    </p>
  </ConfirmCall>
)
